"""The codes with which services say what is wrong: those that are known, and what some mean.

Only a code that stands here is ever repeated in a message. A service chooses its codes, and a code
that it makes up may be a word of what was sent; so may a request id that is none of the forms
below. Whoever needs to know more finds the SDK's exception on `ProviderError.original`.
"""

from __future__ import annotations

from typing import Final

import regex

__all__ = ["BUSY", "NO_CREDIT", "TOO_LONG", "TOO_LONG_WORDS", "is_request_id", "sayable_code"]

#: What a stream says after its status 200, and gateways instead of one.
BUSY: Final = frozenset(
    {
        "overloaded_error", "rate_limit_error", "rate_limit_exceeded", "api_error", "server_error",
        "timeout_error", "internal_server_error",
    }
)  # fmt: skip
NO_CREDIT: Final = frozenset(
    {"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"}
)
TOO_LONG: Final = frozenset(
    {
        "context_length_exceeded", "exceed_context_size_error", "request_too_large",
        "string_above_max_length",
    }
)  # fmt: skip
#: How services without such a code say it; lower case. To be looked for, never to be shown.
TOO_LONG_WORDS: Final = (
    "context length", "context size", "context window", "maximum context", "prompt is too long",
    "input is too long", "prompt too long", "too many tokens", "maximum number of tokens",
    "maximum input length",
)  # fmt: skip

#: Of OpenAI, Azure, Anthropic, Google, Amazon, Mistral, and of vLLM, SGLang, llama.cpp, Ollama.
_OTHERS: Final = frozenset(
    {
        "abortederror", "access_denied", "accessdeniedexception", "account_deactivated",
        "authentication_error", "authenticationerror", "bad_request", "badrequesterror",
        "billing_error", "conflict", "conflict_error", "content_filter",
        "content_policy_violation", "data_inspection_failed", "deadline_exceeded",
        "deploymentnotfound", "engine_overloaded", "error", "failed_precondition", "forbidden",
        "internal", "internal_error", "internalservererror", "internalserverexception",
        "invalid_api_key", "invalid_argument", "invalid_authentication", "invalid_image_url",
        "invalid_json", "invalid_key", "invalid_model", "invalid_organization", "invalid_prompt",
        "invalid_request", "invalid_request_error", "invalid_type", "invalid_value",
        "invalidrequesterror", "ip_not_authorized", "method_not_allowed",
        "missing_required_parameter", "model_not_found", "modelerrorexception",
        "modelnotreadyexception", "moderation_blocked", "modeltimeoutexception",
        "no_api_key", "not_found", "not_found_error", "not_supported_error", "notfounderror",
        "notimplementederror", "operationnotsupported", "out_of_range", "permission_denied",
        "permission_error", "permissiondeniederror", "ramp_limit_exceeded", "rate_limited",
        "ratelimiterror", "ratelimitreached", "request_timeout", "requests",
        "resource_exhausted", "resourcenotfoundexception", "responsibleaipolicyviolation",
        "service_unavailable", "servicequotaexceededexception", "serviceunavailable",
        "serviceunavailableerror", "serviceunavailableexception", "slow_down",
        "throttlingexception", "timeout", "tokens", "too_many_requests", "toomanyrequests",
        "unauthenticated", "unauthorized", "unavailable", "unavailable_error", "unknown_parameter",
        "unknown_url", "unprocessable_entity", "unprocessableentityerror",
        "unsupported_country_region_territory", "unsupported_model", "unsupported_parameter",
        "unsupported_value", "upstream_error", "validation_error", "validationerror",
        "validationexception",
    }
)  # fmt: skip
_KNOWN: Final = BUSY | NO_CREDIT | TOO_LONG | _OTHERS

#: A UUID, hexadecimal digits, or Anthropic's own form.
_REQUEST_ID: Final = regex.compile(
    r"(?:[a-z]{2,9}[_-])?(?:[0-9a-f]{16,64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"
    r"|req_01[1-9A-HJ-NP-Za-km-z]{22}"
)


def sayable_code(code: str) -> str:
    """The code, if it is one of those that services are known to send, else words for it.

    >>> sayable_code("model_not_found"), sayable_code("Mrs_Miller_has_diabetes")
    ('model_not_found', 'of its own')
    """
    return code if code.lower() in _KNOWN else "of its own"


def is_request_id(value: object) -> bool:
    """Whether this has a form in which gateways make ids, and holds no word.

    >>> is_request_id("req_5f2c1d0a9b8e7f6a5b4c3d2e1f0a9b8c"), is_request_id("req_diabetes")
    (True, False)
    """
    return isinstance(value, str) and _REQUEST_ID.fullmatch(value) is not None
