"""Answers from your passages, with every statement cited, quoted and checked before it is read."""

from groundedgen.ask import aask, ask, astream, stream
from groundedgen.errors import GroundedgenError
from groundedgen.passages import Passage
from groundedgen.policy import Policy
from groundedgen.render import render
from groundedgen.values import Answer
from groundedgen.verify import verify
from groundedgen.version import __version__

__all__ = [
    "Answer",
    "GroundedgenError",
    "Passage",
    "Policy",
    "__version__",
    "aask",
    "ask",
    "astream",
    "render",
    "stream",
    "verify",
]
