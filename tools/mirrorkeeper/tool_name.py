"""The words that start this program, for messages that name the next command. Pure.

The same modules are the package `mirrorkeeper` of the wheel, and a folder below another package in a project that keeps
them as source. The name of the package tells which.
"""

from __future__ import annotations

DISTRIBUTION = "mirrorkeeper"

_PACKAGE = __name__.partition(".")[0]

TOOL = DISTRIBUTION if _PACKAGE == DISTRIBUTION else f"python -m {_PACKAGE}"
"""The words before a command, as a person types them."""
