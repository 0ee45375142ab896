"""Generated YAML documents, written in many styles, with a comment wherever one may stand."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

WORDS = st.sampled_from(["alpha", "beta", "gamma", "delta", "api-key", "base-url", "disabled", "models", "é-ü", "x y"])
TEXTS = st.one_of(
    st.sampled_from(
        ["", "sk-1", "true", "null", "12e4567", "0x1F", "a: b", "- c", "#no", "it's", 'say "x"', "*", "a#b"]
    ),
    st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=8),
)
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-1000, 100000), TEXTS)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(WORDS, inner, max_size=3)),
    max_leaves=12,
)
MAPPINGS = st.dictionaries(WORDS, VALUES, min_size=1, max_size=4)


@dataclass(frozen=True)
class Style:
    """How one document is written."""

    indent: int
    list_indent: int
    newline: str
    final_newline: bool
    mark: bool
    choices: tuple[int, ...]


STYLES = st.builds(
    Style,
    indent=st.integers(1, 4),
    list_indent=st.integers(0, 3),
    newline=st.sampled_from(["\n", "\r\n"]),
    final_newline=st.booleans(),
    mark=st.booleans(),
    choices=st.lists(st.integers(0, 11), min_size=8, max_size=8).map(tuple),
)


def quoted(text: str) -> str:
    """Return a text in double quotes, with an escape for whatever is not plainly printable."""
    escaped = (
        json.dumps(each)[1:-1] if each in '"\\' else each if each.isprintable() else _escape(each) for each in text
    )
    return '"' + "".join(escaped) + '"'


def _escape(each: str) -> str:
    return f"\\u{ord(each):04x}" if ord(each) < 0x10000 else f"\\U{ord(each):08x}"


class _Writer:
    """Writes values; every decision takes the next of the style's choices, round and round."""

    def __init__(self, style: Style) -> None:
        self.style = style
        self.count = 0
        self.comments = 0

    def choose(self, options: int) -> int:
        self.count += 1
        return (self.style.choices[self.count % len(self.style.choices)] + self.count // 3) % options

    def comment(self) -> str:
        self.comments += 1
        return f"# note {self.comments}: x"

    def tail(self) -> str:
        return "  " + self.comment() if self.choose(3) == 0 else ""

    def above(self, column: int) -> Iterator[str]:
        if self.choose(4) == 0:
            yield " " * column + self.comment()
        if self.choose(6) == 0:
            yield ""

    def scalar(self, value: Any) -> str:
        if isinstance(value, str):
            if self.choose(2) and value.isprintable() and value.isascii():
                return "'" + value.replace("'", "''") + "'"
            return quoted(value)
        if value is None:
            return ["~", "null", "Null"][self.choose(3)]
        return str(value).lower() if isinstance(value, bool) else str(value)

    def key(self, key: str) -> str:
        return key if self.choose(3) else quoted(key)

    def flow(self, value: Any) -> str:
        if isinstance(value, list):
            return "[" + ", ".join(self.flow(item) for item in value) + "]"
        if isinstance(value, dict):
            return "{" + ", ".join(f"{self.key(key)}: {self.flow(item)}" for key, item in value.items()) + "}"
        return self.scalar(value)

    def lines(self, value: Any, column: int) -> Iterator[str]:
        """Write a non-empty collection in block style, each line with its full indentation."""
        if isinstance(value, dict):
            for key, item in value.items():
                yield from self.above(column)
                yield from self.member(" " * column + self.key(key) + ":", item, column, mapping=True)
        else:
            for item in value:
                yield from self.above(column)
                yield from self.member(" " * column + "-", item, column, mapping=False)

    def member(self, head: str, item: Any, column: int, *, mapping: bool) -> Iterator[str]:
        if isinstance(item, list | dict) and item and self.choose(4):
            inner = column + (self.style.list_indent if mapping and isinstance(item, list) else self.style.indent)
            if not mapping and isinstance(item, dict) and self.choose(2):
                yield from self.compact(head, item, column)
                return
            yield head + self.tail()
            yield from self.lines(item, inner)
        elif item is None and self.choose(2):
            yield head + self.tail()
        elif isinstance(item, str) and self.choose(4) == 0 and item.isprintable() and item.strip() == item and item:
            yield f"{head} |-" + self.tail()
            yield " " * (column + self.style.indent) + item
        else:
            yield f"{head} {self.flow(item)}" + self.tail()

    def compact(self, head: str, item: dict[str, Any], column: int) -> Iterator[str]:
        """Write a mapping whose first key stands behind the dash."""
        lines = list(self.lines(item, column + 2))
        first = next(at for at, line in enumerate(lines) if line.strip() and not line.strip().startswith("#"))
        yield from lines[:first]
        yield head + " " + lines[first].strip()
        yield from lines[first + 1 :]


def write(value: dict[str, Any], style: Style) -> str:
    """Return a document as text, in a style."""
    writer = _Writer(style)
    text = style.newline.join(writer.lines(value, 0))
    return ("\ufeff" if style.mark else "") + text + (style.newline if style.final_newline else "")


def comments(text: str) -> list[str]:
    """Return the comments ``write`` made, sorted."""
    return sorted(part.split(":")[0] for part in text.split("# note ")[1:])
