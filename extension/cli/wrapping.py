"""Lines of text that break between words only."""

import os
import shutil
import sys
import textwrap
from typing import Final

_WIDE: Final = 10_000
_INDENT: Final = "  "


def wrapped(text: str, width: int, indent: str = "", first_indent: str | None = None) -> list[str]:
    """Wrap text between words; a word longer than the line stays whole."""
    return textwrap.wrap(
        text,
        width,
        initial_indent=indent if first_indent is None else first_indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def wrapped_error(text: str) -> str:
    """Wrap a message between words at the width of the terminal; a file or pipe gets one line unless COLUMNS is set."""
    named = os.environ.get("COLUMNS", "")
    fixed = not sys.stderr.isatty() and not named.isdecimal()
    width = _WIDE if fixed else shutil.get_terminal_size((_WIDE, 24)).columns
    return "\n".join(wrapped(text, width, _INDENT, ""))
