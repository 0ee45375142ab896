"""Tries of a store that cannot be used at the moment: later each time, in every mode of the service."""

from typing import Final

from extension.api.problems import Problem
from extension.store.integrity import TRIED_AGAIN

FIRST_SECONDS: Final = 5.0
LONGEST_SECONDS: Final = 60.0


class StoreRetry:
    """Pauses between tries, which double from 5 seconds to a minute."""

    def __init__(self) -> None:
        self._pause = FIRST_SECONDS

    def next_pause(self) -> float:
        """Return the seconds until the next try."""
        pause = self._pause
        self._pause = min(pause * 2, LONGEST_SECONDS)
        return pause

    def reset(self) -> None:
        """Begin with the shortest pause again."""
        self._pause = FIRST_SECONDS


def unavailable(text: str, exception: str = "") -> Problem:
    """Say that inspection is off until a later try; an `exception` is a cause that no later try can remove."""
    return Problem(503, text, "store_unavailable", " ".join(filter(None, (TRIED_AGAIN, exception))))
