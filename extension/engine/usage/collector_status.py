"""State of the collector, as shown."""

from dataclasses import dataclass
from enum import StrEnum

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
