"""Topics: the kinds of events that a channel can be limited to; pure."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from extension.engine.notifications.messages import FAILED, NOT_STARTED


class Topic(StrEnum):
    """Kind of event that a message reports."""

    CHANGES = "changes"
    """Accounts with another status, recommendation or state than in the run before."""
    ACTIONS = "actions"
    """Automatic changes of accounts, and those that failed."""
    ON_HOLD = "on-hold"
    FOREIGN_EDITS = "foreign-edits"
    """Edits by other clients that collided with a change: one of the two may be overwritten."""
    FAILURES = "failures"
    """Runs that failed, were interrupted or could not start."""


def topics_of(message: Mapping[str, Any]) -> frozenset[Topic]:
    """Return the topics of a message; none for a test, which every channel gets."""
    found = {
        Topic.CHANGES: message.get("changed"),
        Topic.ACTIONS: message.get("actions"),
        Topic.ON_HOLD: message.get("onHold"),
        Topic.FOREIGN_EDITS: message.get("foreignEdits"),
        Topic.FAILURES: message["kind"] in {FAILED, NOT_STARTED},
    }
    return frozenset(topic for topic, is_there in found.items() if is_there)
