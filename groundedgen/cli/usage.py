"""Usage lines as people read them; typer would add braces and types."""

# No postponed annotations here: typer reads them to build the commands.
from typing import Any, Final

from typer.core import TyperCommand

__all__ = ["told", "used_as"]

_MISSING: Final = "MissingParameter"


def used_as(*pieces: str) -> type[TyperCommand]:
    """A command whose usage line has these pieces behind its name, what it needs before the rest.

    >>> used_as("ANSWER.json", "[OPTIONS]")(name="verify").collect_usage_pieces(None)
    ['ANSWER.json', '[OPTIONS]']
    """

    class _Command(TyperCommand):
        def collect_usage_pieces(self, ctx: Any) -> list[str]:
            del ctx
            return list(pieces)

    return _Command


def told(error: Any) -> str:
    """A usage error on one line: how the command is used, and whose help explains it.

    What is missing is told with the whole usage line, since it is seldom the only thing.

    Args:
        error: A usage error of typer's, or of the click below it.
    """
    message = str(error.format_message()).strip().rstrip(".")
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "groundedgen"
    usage = ""
    if context and any(kind.__name__ == _MISSING for kind in type(error).__mro__):
        usage = f"; usage: {' '.join((command, *context.command.collect_usage_pieces(context)))}"
    return f"{message[:1].lower()}{message[1:]}{usage}; try '{command} --help'"
