"""What differs between a text and a switched one, piece by piece, in no other words than those of a switch. Pure.

Pieces are kept by whoever wants to take the switch back, and there no secret may stand. So what stands between two
places that change, as a comment with a key that somebody put aside, is never part of one; and where a word that is not
a switch's would be, there are no pieces at all.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

_LONGEST = 4096
"""Most characters that are compared piece by piece: what is more is no switch."""

_TOKEN = re.compile(r"""[ \t]+|\r?\n|["'*\[\]{},:]|[^\s"'*\[\]{},:]+|.""", re.DOTALL)
_WORDS = frozenset(
    {"disabled", "excluded-models", "true", "false", "yes", "no", "on", "off", "y", "n", "null", "~"}
    | {"-", "|", "|-", "|+", ">", ">-", ">+", *"\"'*[]{},:"}
)


@dataclass(frozen=True, slots=True)
class Piece:
    """Put ``text`` in the place of ``length`` characters from ``offset`` on."""

    offset: int
    length: int
    text: str = field(repr=False)

    @property
    def harmless(self) -> bool:
        """Whether the text holds blanks and words of a switch only."""
        return all(not token.strip(" \t\r\n") or token.lower() in _WORDS for token in _TOKEN.findall(self.text))


def pieces_back(before: str, after: str) -> tuple[Piece, ...] | None:
    """Return what leads from a text after a switch back to the one before it, to be put one after the other.

    Returns:
        None where that would hold anything but words of a switch.
    """
    start = _alike(before, after)
    end = _alike(before[start:][::-1], after[start:][::-1])
    if len(before) - end == start:
        return (Piece(start, len(after) - end - start, ""),)
    start, end = before.rfind("\n", 0, start) + 1, _end_of_line(before, len(before) - end)
    pieces = _compared(before[start:end], after[start : len(after) - len(before) + end], start)
    return pieces if pieces is not None and all(piece.harmless for piece in pieces) else None


def put(text: str, pieces: tuple[Piece, ...]) -> str:
    """Return a text with pieces put into it, one after the other."""
    for piece in pieces:
        text = text[: piece.offset] + piece.text + text[piece.offset + piece.length :]
    return text


def _compared(before: str, after: str, offset: int) -> tuple[Piece, ...] | None:
    """Compare two texts token by token, so that a word is taken as a whole or not at all."""
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    same = _alike(old, new)
    rest = _alike(old[same:][::-1], new[same:][::-1])
    offset += len("".join(old[:same]))
    old, new = old[same : len(old) - rest], new[same : len(new) - rest]
    if max(len("".join(old)), len("".join(new))) > _LONGEST:
        return None
    found: list[Piece] = []
    for what, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        text = "".join(old[i1:i2])
        if what != "equal":
            found.append(Piece(offset, len("".join(new[j1:j2])), text))
        offset += len(text)
    return tuple(found)


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many characters or tokens two texts share from their start."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _end_of_line(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end
