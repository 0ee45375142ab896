"""Windows: the spans of time in which an OAuth account may use up so much, and which of them stop it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

HOUR: Final = 3600
DAY: Final = 24 * HOUR
WEEK: Final = 7 * DAY


@dataclass(frozen=True, slots=True)
class Window:
    """One window as the vendor tells it.

    `used` is in percent, None when the vendor names the window without telling. `seconds` is its length and `resets_at`
    its end (integer milliseconds UTC), None if not reported. `pool` names a part of the account that has windows of its
    own, such as a model; empty for the whole account. A window that does not `bind` is reported, but stops nothing.
    """

    name: str
    used: float | None
    seconds: int | None = None
    resets_at: int | None = None
    pool: str = ""
    binds: bool = True

    @property
    def title(self) -> str:
        """Display name: the pool, where there is one, and the name."""
        return f"{self.pool} {self.name}".strip()


@dataclass(frozen=True, slots=True)
class Thresholds:
    """From how many percent windows count as used up: short ones of up to a day, and all others; 0 is never."""

    short: int = 100
    long: int = 100

    def of(self, window: Window) -> int | None:
        """Return the percentage from which on a window counts as used up; None where it stops nothing."""
        limit = self.short if window.seconds is not None and window.seconds <= DAY else self.long
        return limit if window.binds and limit > 0 else None

    def reached(self, window: Window) -> bool:
        """Return whether a window counts as used up."""
        limit = self.of(window)
        return limit is not None and window.used is not None and window.used >= limit


def blocking(windows: Sequence[Window], thresholds: Thresholds) -> tuple[Window, ...]:
    """Return the windows that stop an account; none while it can still be used for something.

    One used-up window of the whole account stops it. Pools are apart from each other: they stop it only when each of
    them has a window that is used up.
    """
    full = [window for window in windows if thresholds.reached(window)]
    whole = tuple(window for window in full if not window.pool)
    if whole:
        return whole
    pools = {window.pool for window in windows if window.pool and window.binds}
    return tuple(full) if pools and pools == {window.pool for window in full} else ()


def usable_again(stopping: Sequence[Window]) -> int | None:
    """Return when an account stopped by these windows can be used again; None unless all of them report it.

    All windows of a pool have to end, and of several pools the first counts. Vendors round up: it may come earlier.
    """
    ends: dict[str, int] = {}
    for window in stopping:
        if window.resets_at is None:
            return None
        ends[window.pool] = max(ends.get(window.pool, 0), window.resets_at)
    return min(ends.values(), default=None)


def told(windows: Sequence[Window]) -> str:
    """Return name and use of each window as text, without its end."""
    return ", ".join(_told(window) for window in windows)


def _told(window: Window) -> str:
    return f"{window.title} {'not told' if window.used is None else f'{window.used:.0f} %'}"
