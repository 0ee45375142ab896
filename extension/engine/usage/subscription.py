"""Subscription to a gateway's records of usage, where it has one."""

from adapter.port import Capability, Gateway, UsageSubscription, errors
from extension.engine.usage.collector_status import StatusBoard
from extension.reasons.trouble import trouble_reasons


async def subscribed(gateway: Gateway, board: StatusBoard) -> UsageSubscription | None:
    """Subscribe, or return None where the gateway has no subscription; the board says why a known one is refused.

    Raises:
        GatewayError: the gateway could not be asked.
    """
    if Capability.USAGE_SUBSCRIPTION not in (await gateway.describe()).capabilities:
        return None
    try:
        return await gateway.subscribe_usage()
    except errors.Unsupported as error:
        board.note(problem=trouble_reasons(error))
        return None
