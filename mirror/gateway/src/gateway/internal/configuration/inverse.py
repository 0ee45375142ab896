"""Inverse of a switch in a text, to the character, whatever its format. Pure.

Inverses leave the gateway, so they must not hold a secret. A piece never spans the text between two changed places,
such as a comment with a key, and where a piece would need a word that is not a switch's there is no inverse.
"""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from gateway.internal.configuration.edits import Path

_LONGEST = 4096
"""Maximum of characters compared piece by piece: a longer difference is not a switch."""

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
        """Return whether the text consists of blanks and words of a switch."""
        return all(not token.strip(" \t\r\n") or token.lower() in _WORDS for token in _TOKEN.findall(self.text))


def pieces_back(before: str, after: str) -> tuple[Piece, ...] | None:
    """Return the pieces that restore the text before a switch, applied one after the other.

    Returns:
        None where a piece would hold anything but words of a switch.
    """
    start = _alike(before, after)
    end = _alike(before[start:][::-1], after[start:][::-1])
    if len(before) - end == start:
        return (Piece(start, len(after) - end - start, ""),)
    start, end = before.rfind("\n", 0, start) + 1, _end_of_line(before, len(before) - end)
    pieces = _compared(before[start:end], after[start : len(after) - len(before) + end], start)
    return pieces if pieces is not None and all(piece.harmless for piece in pieces) else None


def with_pieces(text: str, pieces: tuple[Piece, ...]) -> str:
    """Return a text with pieces applied, one after the other."""
    for piece in pieces:
        text = text[: piece.offset] + piece.text + text[piece.offset + piece.length :]
    return text


def _compared(before: str, after: str, offset: int) -> tuple[Piece, ...] | None:
    """Compare two texts by token, so that words are never split."""
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    same = _alike(old, new)
    rest = _alike(old[same:][::-1], new[same:][::-1])
    offset += len("".join(old[:same]))
    old, new = old[same : len(old) - rest], new[same : len(new) - rest]
    if max(len("".join(old)), len("".join(new))) > _LONGEST:
        return None
    pieces: list[Piece] = []
    for what, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        text = "".join(old[i1:i2])
        if what != "equal":
            pieces.append(Piece(offset, len("".join(new[j1:j2])), text))
        offset += len(text)
    return tuple(pieces)


def _alike(first: Sequence[str], second: Sequence[str]) -> int:
    """Return the length of the common prefix of two texts or lists of tokens."""
    return next(
        (at for at, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), min(len(first), len(second))
    )


def _end_of_line(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


@dataclass(frozen=True, slots=True)
class Inverse:
    """Restores a text from the one after a change; it holds no word that is not one of a switch.

    Attributes:
        before: Fingerprint of the text before the change.
        after: Fingerprint of the text after it; no other text is restored.
        pieces: Pieces to apply, one after the other.
    """

    before: str
    after: str
    pieces: tuple[Piece, ...]

    @classmethod
    def of(cls, before: str, after: str) -> "Inverse | None":
        """Return the inverse of a change; None when it would have to hold other words."""
        pieces = pieces_back(before, after)
        return None if pieces is None else cls(_fingerprint(before), _fingerprint(after), pieces)

    def undo(self, text: str) -> str | None:
        """Return the text before the change; None when the given text is not the one after it."""
        if _fingerprint(text) != self.after:
            return None
        original = with_pieces(text, self.pieces)
        return original if _fingerprint(original) == self.before else None

    def encode(self) -> str:
        """Encode as an opaque string."""
        pieces = [[piece.offset, piece.length, piece.text] for piece in self.pieces]
        return json.dumps([self.before, self.after, pieces])

    @classmethod
    def decode(cls, word: str) -> "Inverse | None":
        """Decode the result of ``encode``; None for any other string."""
        try:
            match json.loads(word):
                case [str() as before, str() as after, [*values]]:
                    pieces = tuple(map(_piece, values))
                    return cls(before, after, pieces) if all(piece.harmless for piece in pieces) else None
        except (ValueError, RecursionError):
            return None
        return None


def _piece(value: object) -> Piece:
    match value:
        case [int() as offset, int() as length, str() as text]:
            return Piece(max(0, offset), max(0, length), text)
    raise ValueError("not a piece")


Change = tuple[str, str]
"""A text before and after."""

Inverses = Mapping[Path, Inverse]
"""Inverses of changes, by place."""


def inverses(changes: Mapping[Path, Change]) -> Inverses:
    by_place = {place: Inverse.of(before, after) for place, (before, after) in changes.items()}
    return {place: inverse for place, inverse in by_place.items() if inverse is not None}


def _fingerprint(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
