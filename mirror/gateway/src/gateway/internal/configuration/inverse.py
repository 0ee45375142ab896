"""Taking a change of a text back, to the character, whatever the text is written in. Pure."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from gateway.internal.configuration.edits import Path

_LONGEST = 4096
"""Most characters an inverse puts back: what is more is no switch."""


@dataclass(frozen=True, slots=True)
class Inverse:
    """What leads from a text after a change to the one before it.

    Attributes:
        before: Fingerprint of the text before the change.
        after: Fingerprint of the text after it; of any other text nothing is taken back.
        offset: Where the texts begin to differ, in characters.
        length: How many characters from there on go.
        text: What comes in their place.
    """

    before: str
    after: str
    offset: int
    length: int
    text: str = field(repr=False)

    @classmethod
    def of(cls, before: str, after: str) -> "Inverse | None":
        """Return the inverse of the change from one text to another; None when it would have to hold too much."""
        start = _alike(before, after)
        end = _alike(before[start:][::-1], after[start:][::-1])
        text = before[start : len(before) - end]
        if len(text) > _LONGEST:
            return None
        return cls(_fingerprint(before), _fingerprint(after), start, len(after) - end - start, text)

    def undo(self, text: str) -> str | None:
        """Return the text as it was before the change; None when it is not the one after it any more."""
        if _fingerprint(text) != self.after:
            return None
        found = text[: self.offset] + self.text + text[self.offset + self.length :]
        return found if _fingerprint(found) == self.before else None

    def encode(self) -> str:
        """Return it as one word for whoever keeps it."""
        return json.dumps([self.before, self.after, self.offset, self.length, self.text])

    @classmethod
    def decode(cls, word: str) -> "Inverse | None":
        """Return what ``encode`` wrote down; None when it is nothing like that."""
        try:
            match json.loads(word):
                case [str() as before, str() as after, int() as offset, int() as length, str() as text]:
                    return cls(before, after, max(0, offset), max(0, length), text)
        except (ValueError, RecursionError):
            return None
        return None


Change = tuple[str, str]
"""A text before and after."""

Inverses = Mapping[Path, Inverse]
"""What takes changes back, by their places."""


def inverses(changes: Mapping[Path, Change]) -> Inverses:
    """Return the inverses of some changes, by their places."""
    found = {place: Inverse.of(before, after) for place, (before, after) in changes.items()}
    return {place: inverse for place, inverse in found.items() if inverse is not None}


def _alike(one: str, other: str) -> int:
    """Return how many characters two texts share from their start."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _fingerprint(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
