"""Taking a switch in a text back, to the character, whatever the text is written in. Pure."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass

from gateway.internal.configuration.edits import Path
from gateway.internal.configuration.pieces import Piece, pieces_back, put


@dataclass(frozen=True, slots=True)
class Inverse:
    """What leads from a text after a change to the one before it; it holds no word that is not one of a switch.

    Attributes:
        before: Fingerprint of the text before the change.
        after: Fingerprint of the text after it; of any other text nothing is taken back.
        pieces: What is put into the text after it, one after the other.
    """

    before: str
    after: str
    pieces: tuple[Piece, ...]

    @classmethod
    def of(cls, before: str, after: str) -> "Inverse | None":
        """Return the inverse of the change from one text to another; None when it would have to hold other words."""
        pieces = pieces_back(before, after)
        return None if pieces is None else cls(_fingerprint(before), _fingerprint(after), pieces)

    def undo(self, text: str) -> str | None:
        """Return the text as it was before the change; None when it is not the one after it any more."""
        if _fingerprint(text) != self.after:
            return None
        found = put(text, self.pieces)
        return found if _fingerprint(found) == self.before else None

    def encode(self) -> str:
        """Return it as one word for whoever keeps it."""
        pieces = [[piece.offset, piece.length, piece.text] for piece in self.pieces]
        return json.dumps([self.before, self.after, pieces])

    @classmethod
    def decode(cls, word: str) -> "Inverse | None":
        """Return what ``encode`` wrote down; None when it is nothing like that."""
        try:
            match json.loads(word):
                case [str() as before, str() as after, [*found]]:
                    pieces = tuple(map(_piece, found))
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
"""What takes changes back, by their places."""


def inverses(changes: Mapping[Path, Change]) -> Inverses:
    """Return the inverses of some changes, by their places."""
    found = {place: Inverse.of(before, after) for place, (before, after) in changes.items()}
    return {place: inverse for place, inverse in found.items() if inverse is not None}


def _fingerprint(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
