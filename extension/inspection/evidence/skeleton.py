"""Skeletons: the part of an answer that stays the same from one request to the next.

Two answers with one skeleton are the same refusal. Ids, key hints, times and counts differ in every answer, so a word
of the message counts only if it consists of letters.
"""

import re
from dataclasses import dataclass
from typing import Final

from adapter.port import Answer
from extension.inspection.evidence.error_body import parse_error_body

_WORD: Final = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_TOKEN: Final = re.compile(r"\S+")
_VARIABLE: Final = re.compile(r"[\d*]|\.{2,}|…|REDACTED|(?:^|[\"'`(])sk-")
_LONGEST: Final = 500


@dataclass(frozen=True, slots=True)
class Skeleton:
    """Status, machine codes and words of an answer."""

    status: int
    codes: tuple[str, ...]
    words: tuple[str, ...]


def skeleton_of(answer: Answer) -> Skeleton:
    """Return the skeleton of an answer; a body without a message counts with its beginning."""
    body = parse_error_body(answer)
    text = body.message or ("" if body.codes else answer.body)
    fixed = (token for token in _TOKEN.findall(text[:_LONGEST]) if not _VARIABLE.search(token))
    words = tuple(word.lower() for token in fixed for word in _WORD.findall(token))
    return Skeleton(answer.status, tuple(code.lower() for code in body.codes), words)
