"""Files of the project that generators read, and Markdown that they write."""

from collections.abc import Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def text_of(name: str) -> str:
    """Return the text of a file of the project."""
    return (ROOT / name).read_text(encoding="utf-8")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; a pipe in a cell is escaped."""
    lines = [_row(head), _row(["---"] * len(head)), *(_row(row) for row in rows)]
    return "\n".join(lines)


def code(text: object) -> str:
    """Return a text as code, or nothing for an empty text."""
    return f"`{text}`" if str(text) else ""


def codes(texts: Iterable[object]) -> str:
    """Return texts as code, with commas between them."""
    return ", ".join(code(text) for text in texts)


def sentence(text: str) -> str:
    """Return the first paragraph of a docstring in one line, without its sections."""
    first = text.strip().split("\n\n")[0]
    return " ".join(first.replace("``", "`").split())


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
