"""Readings of a text, one after another. Pure.

Theory of operation. An upstream may repeat a key in any encoding, or in an encoding of an encoding. No list of shapes
finds that in the text itself, so the text is read: each row of the tables below undoes one kind of encoding, and the
rows apply to each other's results, up to three deep. A rewriting row returns the text with something undone in place.
Extracting rows return stretches that were encoded as a whole; all those of one text make one further text.
Rearrangements (reversed, rot13) are no rows: the last one of a reading is tried on its letters, which costs next to
nothing, and the first one on the text itself; so are line ends that part the marks of an encoding. The escapes of a
JSON body belong to the answer and not to the encoding: they are undone before anything else.

Each reading ends as letters and digits alone, in lower case. Blanks, punctuation, accents and invisible characters are
gone by then: no row is needed for letters that are spaced, quoted, listed or broken over lines.

A reading has no places in the text it comes from. A key in a reading is therefore not cut out: the text is not shown.
Upstreams choose the texts, so the work is bounded, and a text that takes more is not shown either. Otherwise a key
could hide behind a pile of decoys.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from adapter.privacy.readings.base85 import base85
from adapter.privacy.readings.bit_encodings import bit_encodings, wide_texts
from adapter.privacy.readings.escapes import (
    escapes,
    joined_letters,
    joined_lines,
    json_escapes,
    quoted_printable,
    without_marks,
)
from adapter.privacy.readings.letters import folded, plain, rearranged, rearranged_texts
from adapter.privacy.readings.number_lists import number_lists

REWRITING: Final[tuple[Callable[[str], str], ...]] = (
    plain,
    escapes,
    without_marks,
    joined_letters,
    quoted_printable,
)
EXTRACTING: Final[tuple[Callable[[str], Iterable[str]], ...]] = (number_lists, bit_encodings, wide_texts, base85)
_DEPTH: Final = 3
_LEAST: Final = 8
_MOST_TEXTS: Final = 96
_MOST_CHARACTERS: Final = 393_216
_JSON: Final = ("{", "[", '"')


class TooManyReadingsError(Exception):
    """A text has more readings than are looked at."""


def readings(text: str) -> Iterator[bytes]:
    """Yield the letters of each reading of a text.

    Raises:
        TooManyReadingsError: there are more of them.
    """
    yield from rearranged(folded(text))
    content = json_escapes(text) if text.lstrip().startswith(_JSON) else text
    seen = {content}
    waiting = deque([(content, 0)])
    left = _MOST_CHARACTERS
    while waiting:
        current, depth = waiting.popleft()
        left -= len(current)
        if left < 0 or len(seen) > _MOST_TEXTS:
            raise TooManyReadingsError
        yield from rearranged(folded(current))
        for further, at in _further(current, depth):
            if len(further) >= _LEAST and further not in seen:
                seen.add(further)
                waiting.append((further, at))


def _further(text: str, depth: int) -> Iterator[tuple[str, int]]:
    """Yield the texts one step on, with their depths."""
    if depth == _DEPTH:
        return
    if depth == 0:
        for outermost in (joined_lines(text), *rearranged_texts(text)):
            yield outermost, _DEPTH - 1
    for rewrite in REWRITING:
        yield rewrite(text), depth + 1
    yield "\n".join(piece for extract in EXTRACTING for piece in extract(text)), depth + 1
