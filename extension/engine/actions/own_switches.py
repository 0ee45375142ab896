"""State of an account before our own switches; pure.

Theory of operation. A finding holds only while the revision of its account is that of the check. A gateway that makes
the revision of a file from its size and time gives it a new one with every switch, also with one that is undone. So
each action stores the state before it (`origin`) and the revision after it. While the account keeps that revision, all
changes since the check are ours, and its origin is that of our last action. A change from outside ends the chain.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from extension.engine.pool.listed_account import ListedAccount
from extension.store.records import ActionRecord

REVISION: Final = "revision"
"""Name of the revision that an action left behind, in the state stored after it."""
ORIGIN: Final = "origin"
"""Name of the state before our switches, in the state stored before an action."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Revision and status of an account before any switch of ours that still shows."""

    revision: str
    enabled: bool | None


def origin_of(listed: ListedAccount, last: ActionRecord | None) -> Origin:
    """Return the origin of an account as listed now; `last` is the last action that took effect on it."""
    revision = str(listed.account.revision)
    if last is not None and last.after is not None and last.after.get(REVISION) == revision:
        stored = last.before.get(ORIGIN)
        if stored is not None:
            return Origin(stored[REVISION], stored["enabled"])
    return Origin(revision, listed.enabled)


def as_checked(listed: ListedAccount, expected: tuple[str, ...], last: ActionRecord | None) -> bool:
    """Return whether an account still has the state of a check: its revision, or its origin and enabled state."""
    if expected == listed.revisions:
        return True
    origin = origin_of(listed, last)
    return expected == (origin.revision,) and listed.enabled is origin.enabled


def with_origin(state: Mapping[str, Any], listed: ListedAccount | None, last: ActionRecord | None) -> Mapping[str, Any]:
    """Add the origin to the state stored before an action; an account that is not listed has none."""
    if listed is None:
        return state
    origin = origin_of(listed, last)
    return {**state, ORIGIN: {REVISION: origin.revision, "enabled": origin.enabled}}


def with_revision(state: Mapping[str, Any], listed: ListedAccount | None) -> Mapping[str, Any]:
    """Add the revision to the state stored after an action."""
    return state if listed is None else {**state, REVISION: str(listed.account.revision)}
