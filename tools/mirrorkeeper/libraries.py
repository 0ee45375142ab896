"""Libraries that only some commands need, and the requirement that brings each."""

from __future__ import annotations

from .errors import ToolError
from .tool_name import DISTRIBUTION

_LIBRARIES = {
    "click": ("click", DISTRIBUTION),
    "tree_sitter": ("tree-sitter", f"{DISTRIBUTION}[go]"),
    "tree_sitter_go": ("tree-sitter-go", f"{DISTRIBUTION}[go]"),
}
"""For a package that may be missing: its distribution, and the requirement that brings it."""


def missing_library(error: BaseException, subject: str) -> ToolError | None:
    """Return the error that names the library a subject needs; None for an error of another kind."""
    library, wanted = _LIBRARIES.get((getattr(error, "name", "") or "").partition(".")[0], ("", ""))
    if not library or not isinstance(error, ModuleNotFoundError):
        return None
    advice = f"pip install {library}, or pip install '{wanted}'"
    return ToolError(f"{subject} needs {library}, which is not installed", advice)
