"""Version numbers of releases: which is newer, which comes next. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

_PLAIN = re.compile(r"(\d+)\.(\d+)\.(\d+)")
_PARTS = re.compile(r"\d+|[A-Za-z]+")


def order(version: str) -> tuple[tuple[int, int, str], ...]:
    """A key that sorts versions as people read them: numbers by value, a pre-release before its release."""
    numbers, _, extra = version.partition("-")
    return (*_key(numbers), (1, 0, "") if not extra else (0, 0, ""), *_key(extra))


def _key(text: str) -> list[tuple[int, int, str]]:
    # Rank 2 for numbers and words alike, so that more parts sort after fewer: 1.2 < 1.2.1.
    return [(2, int(part), "") if part.isdigit() else (2, -1, part.lower()) for part in _PARTS.findall(text)]


def newest(versions: Iterable[str]) -> str | None:
    """The newest of the versions, or None of none."""
    return max(versions, key=order, default=None)


def latest(versions: Iterable[str]) -> str | None:
    """The newest of the versions that is no pre-release; of nothing but pre-releases the newest, None of none."""
    listed = list(versions)
    return newest([one for one in listed if not is_prerelease(one)] or listed)


def is_prerelease(version: str) -> bool:
    """Return whether the version comes before the release it is named after (`2.0.0-rc1`)."""
    return "-" in version.partition("+")[0]


def next_patch(version: str) -> str | None:
    """The next patch release after a plain `x.y.z`, or None when the version has another shape."""
    match = _PLAIN.fullmatch(version)
    return f"{match[1]}.{match[2]}.{int(match[3]) + 1}" if match else None


def is_plain(version: str) -> bool:
    """Return whether the version has the shape `x.y.z`."""
    return _PLAIN.fullmatch(version) is not None
