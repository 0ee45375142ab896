"""The list of patches in `upstream.toml`, changed in place: comments and everything else stay as they are. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..errors import ToolError
from ..toml.table import parse_table
from ..toml.writing import toml_texts

_SECTION = re.compile(r"(?m)^\[patches\][ \t]*(?:#.*)?$")
_NEXT = re.compile(r"(?m)^\[")
_ORDER = re.compile(r"(?m)^order[ \t]*=[ \t]*\[(?:[^\]\"'#]|#[^\n]*|\"[^\"]*\"|'[^']*')*\]")


def with_order(text: str, order: Sequence[str], shown: str) -> str:
    """The text of the declaration with that list of patches, in that order.

    Raises:
        ToolError: the list is written in a way this cannot change; `shown` names the file in the message.
    """
    line = f"order = {toml_texts(tuple(order))}"
    section = _SECTION.search(text)
    if section is None:
        changed = f"{text.rstrip()}\n\n[patches]\n{line}\n"
    else:
        after = _NEXT.search(text, section.end())
        end = after.start() if after else len(text)
        body = text[section.end() : end]
        body = _ORDER.sub(lambda _: line, body, count=1) if _ORDER.search(body) else f"\n{line}{body}"
        changed = text[: section.end()] + body + text[end:]
    table = parse_table(changed, shown).table("patches")
    if table is None or table.texts("order") != tuple(order):
        raise ToolError(f"the list of patches in {shown} cannot be changed", f"write it by hand: {line}")
    return changed
