"""State of the collector, as shown."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from extension.engine.usage.usage_writer import StoredCount
from extension.reasons.reason import NO_REASON, ReasonList


class CollectorSource(StrEnum):
    """Origin of records."""

    NONE = "none"
    SUBSCRIPTION = "subscription"
    QUEUE = "queue"


@dataclass(frozen=True, slots=True)
class CollectorStatus:
    """State of the collector, as shown. The counts are of this process."""

    source: CollectorSource = CollectorSource.NONE
    recording: bool | None = None
    """State of the gateway's recording; None where it is not known."""
    supported: bool = True
    problem: ReasonList = NO_REASON
    covered_until: int = 0
    stored: int = 0
    duplicates: int = 0
    unreadable: int = 0


class StatusBoard:
    """State that the collector keeps up to date."""

    def __init__(self) -> None:
        self.status = CollectorStatus()

    def note(self, **parts: Any) -> None:
        """Change some parts of the state, by name."""
        self.status = replace(self.status, **parts)

    def count(self, written: StoredCount) -> None:
        """Count stored records."""
        status = self.status
        self.status = replace(
            status,
            stored=status.stored + written.stored,
            duplicates=status.duplicates + written.duplicates,
            unreadable=status.unreadable + written.unreadable,
        )
