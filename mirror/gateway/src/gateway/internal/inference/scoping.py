"""Rules about errors that say something about the request and not about the credential (`request-scoped-errors`)."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

_LONGEST_READ = 16 * 1024


@dataclass(frozen=True, slots=True)
class Consequence:
    """What follows from an error.

    Attributes:
        elsewhere: Whether another credential is asked.
        cools: Whether this one is left alone for a while.
    """

    elsewhere: bool
    cools: bool


_CONSEQUENCES = {
    "stop": Consequence(elsewhere=False, cools=False),
    "stop-and-cooldown": Consequence(elsewhere=False, cools=True),
    "continue": Consequence(elsewhere=True, cools=False),
    "continue-and-cooldown": Consequence(elsewhere=True, cools=True),
}


def consequence_of(rules: Iterable[object], status: int, body: str) -> Consequence | None:
    """Return what the first rule that fits says, None when none does.

    A rule fits an error of its status whose body holds one of its ``match`` texts, in any case, or something one of
    its ``match-regexr`` expressions finds. A rule that is written wrongly fits nothing.

    Args:
        rules: As they are written.
        status: Of the upstream's answer; 0 when there was none, which no rule fits.
        body: The error; what follows the first 16 KiB does not count.
    """
    text = body[:_LONGEST_READ]
    for rule in rules:
        if isinstance(rule, Mapping) and rule.get("status") == status > 0 and _fits(rule, text):
            return _CONSEQUENCES.get(str(rule.get("action", "")).strip().lower())
    return None


def _fits(rule: Mapping[object, object], text: str) -> bool:
    lowered = text.lower()
    if any(part.lower() in lowered for part in _texts(rule.get("match"))):
        return True
    expressions = (*_texts(rule.get("match-regexr")), *_texts(rule.get("match_regexr")))
    return any(found.search(text) for found in map(_compiled, expressions) if found is not None)


def _texts(value: object) -> Iterator[str]:
    """Yield what is written in a list, without what is blank."""
    if isinstance(value, list):
        yield from (item.strip() for item in value if isinstance(item, str) and item.strip())


@lru_cache(maxsize=256)
def _compiled(expression: str) -> "re.Pattern[str] | None":
    try:
        return re.compile(expression)
    except re.error:
        return None
