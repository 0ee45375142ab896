"""Switch of a credential file, changed in place: layout and everything else stay. Pure."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from gateway.internal.configuration.inverse import Inverse
from gateway.internal.operations.file_fields import encoded

_FIELD = "disabled"
_MARK = b"\xef\xbb\xbf"
_BLANKS = " \t\r\n"
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class FileChange:
    """A credential file's new content, and the inverse of the change; None where the file was rewritten."""

    content: bytes = field(repr=False)
    inverse: Inverse | None = None


@dataclass(frozen=True, slots=True)
class _Member:
    """A member of an object: offsets of its name and its value, ends excluded."""

    name: str
    start: int
    name_end: int
    value: int
    end: int


def switched(content: bytes, *, disabled: bool, written: bool = True, back: Inverse | None = None) -> FileChange | None:
    """Switch a credential file.

    Args:
        content: The file.
        disabled: The new state.
        written: False: an enabled file has no switch.
        back: Inverse of an earlier change, to be used where it still applies.

    Returns:
        The new content, which differs only in the switch; None when the file holds no JSON object.
    """
    try:
        value = json.loads(content)
        if not isinstance(value, dict):
            return None
        goal = value | {_FIELD: disabled} if written or disabled else _without(value)
        return _in_place(content, goal, back) or FileChange(encoded(goal))
    except (ValueError, RecursionError):
        return None


def _in_place(content: bytes, goal: dict[str, Any], back: Inverse | None) -> FileChange | None:
    """Change only the switch; None where the file's form does not allow that."""
    mark = _MARK if content.startswith(_MARK) else b""
    try:
        text = content.removeprefix(mark).decode()
    except UnicodeDecodeError:
        return None
    was = back.undo(text) if back is not None else None
    if was is not None and _says(was, _without(goal), disabled=goal.get(_FIELD) is True):
        return FileChange(mark + was.encode(), Inverse.of(text, was))
    after = _edited(text, goal)
    return FileChange(mark + after.encode(), Inverse.of(text, after)) if json.loads(after) == goal else None


def _says(text: str, fields: dict[str, Any], *, disabled: bool) -> bool:
    value = json.loads(text)
    return isinstance(value, dict) and _without(value) == fields and (value.get(_FIELD) is True) is disabled


def _without(value: dict[str, Any]) -> dict[str, Any]:
    return {name: item for name, item in value.items() if name != _FIELD}


def _edited(text: str, goal: dict[str, Any]) -> str:
    members = _members(text)
    at = max((place for place, member in enumerate(members) if member.name == _FIELD), default=-1)
    if _FIELD not in goal:
        start, end = _extent(members, at)
        return text[:start] + text[end:] if at >= 0 else text
    switch = "true" if goal[_FIELD] else "false"
    if at >= 0:
        return text[: members[at].value] + switch + text[members[at].end :]
    if not members:
        start = text.index("{") + 1
        return f'{text[:start]}"{_FIELD}":{switch}{text[start:]}'
    last = members[-1]
    colon = text[last.name_end : last.value]
    return f'{text[: last.end]}{_comma(text, members, colon)}"{_FIELD}"{colon}{switch}{text[last.end :]}'


def _comma(text: str, members: Sequence[_Member], colon: str) -> str:
    """Return the separator of two members, as before the last one."""
    if len(members) > 1:
        return text[members[-2].end : members[-1].start]
    blanks = text[text.index("{") + 1 : members[-1].start]
    return "," + (blanks if "\n" in blanks else " " if colon.endswith(" ") else "")


def _extent(members: Sequence[_Member], at: int) -> tuple[int, int]:
    """Return the span of a member with the comma before it, or behind it where it is the first."""
    if at > 0:
        return members[at - 1].end, members[at].end
    return members[0].start, members[1].start if len(members) > 1 else members[0].end


def _members(text: str) -> list[_Member]:
    members: list[_Member] = []
    at = _skipped(text, text.index("{") + 1)
    while text[at] != "}":
        name, name_end = _DECODER.raw_decode(text, at)
        value = _skipped(text, _skipped(text, name_end) + 1)
        _, end = _DECODER.raw_decode(text, value)
        members.append(_Member(name, at, name_end, value, end))
        at = _skipped(text, end)
        if text[at] == ",":
            at = _skipped(text, at + 1)
    return members


def _skipped(text: str, at: int) -> int:
    while text[at] in _BLANKS:
        at += 1
    return at
