"""Pace: how many probes are in flight at once, and what each call costs the gateway itself."""

from dataclasses import dataclass

from adapter.port import Gateway


@dataclass(frozen=True, slots=True)
class Pace:
    """The limit of probes in flight, and the gateway's own seconds in the latency of each."""

    workers: int
    seconds_per_call: float


async def measure(gateway: Gateway, limit: int, accounts: int) -> Pace:
    """Take the operator's limit, but no more workers than there are accounts, and ask the gateway for its own cost.

    Raises:
        GatewayError: the gateway could not be asked.
    """
    about = await gateway.describe()
    return Pace(workers=max(1, min(limit, accounts)), seconds_per_call=about.seconds_per_call)
