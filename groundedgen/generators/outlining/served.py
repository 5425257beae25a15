"""Outlines' models of servers that speak OpenAI's form: vLLM, SGLang, and whatever is like them.

Outlines sends such a server what OpenAI's client would, a grammar in the one field that belongs
to its class of models, and returns the bare text. So the client is taken out of the model and
asked by `openai`: in the field that the server minds, with how the reply ended and what it cost.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from groundedgen.generators.openai import OpenAIGenerator
from groundedgen.generators.outlining.outcomes import Known

__all__ = ["Served"]


class Served(OpenAIGenerator):
    """The generator of such a model; what is seen of its server is kept for the model's next one.

    Args:
        model: `outlines.from_vllm(client, name)`, or the like.
        options: Further fields of each request.
        settings: Those of `OpenAIGenerator`.
    """

    def __init__(self, model: Any, options: Mapping[str, Any], **settings: Any) -> None:
        fields = {**options, **options.get("extra_body", {})}
        fields.pop("extra_body", None)
        name = fields.pop("model", None) or model.model_name
        super().__init__(model.client, name, extra_body=fields, **settings)
        seen = Known.of(model).served.setdefault(
            self._known is not None, (self._learned, self._known)
        )
        self._learned, self._known = seen
