"""The Redis protocol (RESP 2), as far as a subscriber needs it. Pure."""

from dataclasses import dataclass
from typing import Final, TypeAlias

_END: Final = b"\r\n"
_LONGEST_LINE: Final = 64 * 1024
_LONGEST_TEXT: Final = 64 * 1024 * 1024
_DEEPEST: Final = 4
_MOST_ELEMENTS: Final = 1_024


class RespInvalid(ValueError):  # noqa: N818 - the name says what is wrong
    """The bytes are not of this protocol."""


@dataclass(frozen=True, slots=True)
class RespError:
    """An error the server answered; its text may quote what was sent."""

    text: str


RespValue: TypeAlias = "bytes | int | RespError | list[RespValue] | None"
_Parsed: TypeAlias = tuple[RespValue, int]


def command(*parts: bytes) -> bytes:
    """Return a command as bytes to send."""
    body = b"".join(b"$%d\r\n%s\r\n" % (len(part), part) for part in parts)
    return b"*%d\r\n%s" % (len(parts), body)


class RespParser:
    """Values out of a stream of bytes, however it is cut."""

    def __init__(self) -> None:
        self._pending = bytearray()
        self._needed = 0

    def feed(self, chunk: bytes) -> list[RespValue]:
        """Take in the next bytes, and return the values that are complete now.

        Raises:
            RespInvalid: they are not of this protocol.
        """
        self._pending += chunk
        if len(self._pending) < self._needed:
            return []
        values: list[RespValue] = []
        start = 0
        while start < len(self._pending):
            parsed = self._value(start, 0)
            if parsed is None:
                break
            value, start = parsed
            values.append(value)
            self._needed = 0
        del self._pending[:start]
        self._needed = max(0, self._needed - start)
        return values

    def _value(self, start: int, depth: int) -> _Parsed | None:
        line = self._line(start)
        if line is None:
            return None
        text, end = line
        kind, rest = text[:1], text[1:]
        if kind == b"+":
            return rest, end
        if kind == b"-":
            return RespError(rest.decode("utf-8", "replace")), end
        if kind == b":":
            return _number(rest), end
        if kind == b"$":
            return self._text(_number(rest), end)
        if kind == b"*" and depth < _DEEPEST:
            return self._list(_number(rest), end, depth)
        raise RespInvalid("an unknown kind of value")

    def _line(self, start: int) -> tuple[bytes, int] | None:
        end_of_line = self._pending.find(_END, start)
        if end_of_line < 0:
            if len(self._pending) - start > _LONGEST_LINE:
                raise RespInvalid("a line without an end")
            return None
        return bytes(self._pending[start:end_of_line]), end_of_line + len(_END)

    def _text(self, length: int, start: int) -> _Parsed | None:
        if length == -1:
            return None, start
        if not 0 <= length <= _LONGEST_TEXT:
            raise RespInvalid("a text of an impossible length")
        end = start + length
        if len(self._pending) < end + len(_END):
            self._needed = end + len(_END)
            return None
        if self._pending[end : end + len(_END)] != _END:
            raise RespInvalid("a text that is longer than it says")
        return bytes(self._pending[start:end]), end + len(_END)

    def _list(self, length: int, start: int, depth: int) -> _Parsed | None:
        if length == -1:
            return None, start
        if not 0 <= length <= _MOST_ELEMENTS:
            raise RespInvalid("a list of an impossible length")
        values: list[RespValue] = []
        for _ in range(length):
            parsed = self._value(start, depth + 1) if start < len(self._pending) else None
            if parsed is None:
                return None
            value, start = parsed
            values.append(value)
        return values, start


def _number(text: bytes) -> int:
    digits = text[1:] if text[:1] == b"-" else text
    if not digits.isdigit() or len(digits) > 18:  # noqa: PLR2004 - what 64 bits hold in any case
        raise RespInvalid("a number that is none")
    return int(text)
