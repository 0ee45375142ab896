"""Notebooks and scripts of IPython as Python: a command of a shell becomes a text, as in `get_ipython().system("…")`.

Theory of operation: every line keeps its place. Texts are judged as commands like any other, so that a line for a shell
is a finding where it starts the package, and the rest of the file is read whatever stands between.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from ...syntax_tree import parsed

_WITH_CODE = frozenset(
    "time timeit capture prun debug memit mprun lprun pyinstrument python python3 ipytest".split()  # noqa: SIM905 - one line
)
"""Magic commands that run the Python after them."""
_COMMAND = re.compile(r"(\s*)((?:[A-Za-z_][\w.]*(?:\[[^\]]*\])?(?:\s*,\s*[A-Za-z_]\w*)*\s*=\s*)?)(!!?|%)(.*)")
_HELP = re.compile(r"(\s*)(?:\?\??\s*%{0,2}[\w.*]+|%{0,2}[A-Za-z_*][\w.*]*\?\??)\s*;?\s*")


def notebook_code(content: bytes) -> bytes:
    """The code of a notebook; nothing when it is empty, or one of another language.

    Raises:
        ValueError: it is no notebook.
    """
    if not content.strip():
        return b""
    book = json.loads(content)
    try:
        if not _is_python(book):
            return b""
        sheets = [book, *book.get("worksheets", ())]  # format 3 has the second
        cells = [cell for sheet in sheets for cell in sheet.get("cells", ()) if cell["cell_type"] == "code"]
        texts = ["".join(cell["source"] if "source" in cell else cell["input"]) for cell in cells]
    except (KeyError, TypeError, AttributeError) as error:
        text = "its cells are not those of a notebook"
        raise ValueError(text) from error
    return "\n".join(line for text in texts for line in _cell(text.splitlines())).encode("utf-8", "surrogatepass")


def script_code(text: str) -> bytes:
    """The code of a script for IPython."""
    return "\n".join(_translated(text.splitlines())).encode()


def _is_python(book: Any) -> bool:
    told = book.get("metadata", {})
    named = [told.get("kernelspec", {}).get("language"), told.get("language_info", {}).get("name")]
    return all(one is None or "python" in str(one).lower() for one in named)


def _cell(lines: Sequence[str]) -> list[str]:
    """The lines of a cell; one that is of another language, or cannot be run as it stands, is texts alone."""
    first = next((at for at, line in enumerate(lines) if line.strip()), 0)
    magic = re.match(r"%%(\w*)", lines[first]) if lines else None
    if magic is not None:
        blank = [""] * (first + 1)
        rest = lines[first + 1 :]
        if magic[1] not in _WITH_CODE:
            return [*blank, *map(_text, rest)]
        lines = [*blank, *rest]
    code = list(_translated(lines))
    try:
        parsed("\n".join(code))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return [_text(line) for line in lines]
    return code


def _translated(lines: Sequence[str]) -> Iterator[str]:
    at = 0
    while at < len(lines):
        line, first = lines[at], at
        at += 1
        command = _COMMAND.fullmatch(line)
        if command is None:
            help_asked = _HELP.fullmatch(line)
            yield f"{help_asked[1]}pass" if help_asked else line
            continue
        text = command[4]
        while text.endswith("\\") and at < len(lines):
            text = f"{text[:-1]} {lines[at].strip()}"
            at += 1
        yield f"{command[1]}{command[2]}{_text(_run_by(text) if command[3] == '%' else text)}"
        yield from [""] * (at - first - 1)


def _run_by(magic: str) -> str:
    """The command or the code that a magic command of one line runs."""
    name, _, rest = magic.lstrip("%").partition(" ")
    if name in _WITH_CODE:
        return rest.strip()
    return {"run": f"python {rest}", "sx": rest, "system": rest, "sc": rest}.get(name, f"%{name} {rest}")


def _text(line: str) -> str:
    return f"get_ipython().system({line!r})" if line.strip() else ""
