"""Usage: the queue of records of the gateway's requests."""

from dataclasses import dataclass, field
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class UsageRecord:
    """One upstream attempt that reported usage. No field but `raw` holds a key."""

    at: int
    """Start of the request, integer milliseconds UTC."""
    latency_ms: int
    auth_index: str
    provider: str
    model: str
    alias: str
    """The model name that was asked for."""
    endpoint: str
    request_id: str
    failed: bool
    status: int
    input_tokens: int
    output_tokens: int
    reasoning_tokens: int
    cached_tokens: int
    total_tokens: int
    raw: Any = field(default=None, repr=False, compare=False)
    """The gateway's own record, decoded from JSON. It holds upstream and client keys in clear: read it in memory, and
    never store or show it."""


@dataclass(frozen=True, slots=True)
class UsageBatch:
    """Records that one pop took out of the queue, oldest first."""

    records: tuple[UsageRecord, ...]
    popped_at: int
    """Time of the pop; of a subscription, the time up to which the gateway is known to have sent every record. Integer
    milliseconds UTC."""
    gap: bool
    """True when records may have been lost since the pop before: the time between was longer than the retention."""
    lost: int | None = None
    """Number of records the gateway counted as lost since the pop before; None where it does not count."""


@dataclass(frozen=True, slots=True)
class UsageState:
    """State of the recording of usage."""

    recording: bool
    retention: float | None
    """Seconds a record waits in the queue; None where the queue ends with this process."""


class UsageSubscription(Protocol):
    """A running subscription. While it lasts, records go to subscribers instead of the queue."""

    async def receive(self, limit: int, seconds: float) -> UsageBatch | None:
        """Return at most `limit` (> 0) records as soon as there are some, none of them after `seconds` without.

        None when the subscription has ended and every record received was returned. Every record
        that the gateway made up to `popped_at` is in this batch or in one before it.
        """

    async def close(self) -> bool:
        """End the subscription; records go to the queue again. Closing twice is harmless.

        False when the gateway did not confirm the end, so that records on their way may be lost.
        """


class Usage(Protocol):
    """The role that reads usage."""

    async def switch_usage(self, on: bool) -> None:
        """Start or stop the recording of usage; records in the queue when it stops can still be popped.

        Raises:
            Unsupported: the gateway lacks `Capability.USAGE`.
            GatewayError: it may have been switched when `applied` is "maybe".
        """

    async def usage_state(self) -> UsageState:
        """Return whether usage is recorded, and how long records wait.

        Raises:
            Unsupported: the gateway lacks `Capability.USAGE`.
            GatewayError: it could not be read.
        """

    async def subscribe_usage(self) -> UsageSubscription:
        """Subscribe to records; the gateway has acknowledged it when this returns. Pop the queue empty afterwards.

        Raises:
            Unsupported: the gateway lacks `Capability.USAGE_SUBSCRIPTION`, or its address does not reach that protocol.
            GatewayError: it could not be subscribed to; a refused key stops all requests.
        """

    async def pop_usage(self, limit: int) -> UsageBatch:
        """Take at most `limit` (> 0) records out of the queue. The queue keeps no copy.

        Therefore it is shielded: a pop whose waiter was cancelled is returned by the next pop.

        Raises:
            Unsupported: the gateway lacks `Capability.USAGE`.
            GatewayError: records are lost when `applied` is "maybe".
        """
