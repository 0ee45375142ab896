"""Usage: the queue of records of the gateway's requests."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class UsageRecord:
    """One upstream attempt that reported usage. Keys in the gateway's own record are left out on purpose."""

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


@dataclass(frozen=True, slots=True)
class UsageBatch:
    """Records that one pop took out of the queue, oldest first."""

    records: tuple[UsageRecord, ...]
    popped_at: int
    """Integer milliseconds UTC."""
    gap: bool
    """True when records may have been lost since the pop before: the time between was longer than the retention."""


class Usage(Protocol):
    """The role that reads usage."""

    async def switch_usage(self, on: bool) -> None:
        """Start or stop the recording of usage; records in the queue when it stops can still be popped.

        Raises:
            Unsupported: the gateway lacks `Capability.USAGE`.
            GatewayError: it may have been switched when `applied` is "maybe".
        """

    async def pop_usage(self, limit: int) -> UsageBatch:
        """Take at most `limit` (> 0) records out of the queue. The queue keeps no copy.

        Therefore it is shielded: a pop whose waiter was cancelled is returned by the next pop.

        Raises:
            Unsupported: the gateway lacks `Capability.USAGE`.
            GatewayError: records are lost when `applied` is "maybe".
        """
