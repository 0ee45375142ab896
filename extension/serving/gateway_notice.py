"""Log lines about a remote gateway at start: reachability, version and cost of a call."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

from adapter.management.diagnostics.advice import EXPENSIVE_SECONDS, client_key_advice, saved_seconds
from adapter.port import Gateway, GatewayError
from adapter.rules.config_text import ConfigTextInvalid, config_values

_THOUSAND: Final = 1_000


@asynccontextmanager
async def gateway_noticed(gateway: Gateway, log: Any) -> AsyncIterator[None]:
    """Ask a gateway beside the block, which does not wait for it, and log the findings."""
    asking = asyncio.create_task(notice(gateway, log))
    try:
        yield
    finally:
        asking.cancel()
        # Not awaited by itself: that would take a cancellation of the block for that of the task.
        await asyncio.wait({asking})
        if not asking.cancelled():
            asking.result()


async def warn_of_open_inference(gateway: Gateway, log: Any) -> None:
    """Log that everybody who reaches the gateway of this process may use its pool, where `api-keys` is empty."""
    with suppress(GatewayError, ConfigTextInvalid):
        values = config_values((await gateway.configuration()).text.reveal())
        for advice in client_key_advice(values):
            log.warning(advice.text, code=advice.code)


async def notice(gateway: Gateway, log: Any) -> None:
    """Log which gateway it is, the cost of its calls where it is high, or why it cannot be reached."""
    try:
        about = await gateway.describe()
    except GatewayError as error:
        log.warning("the gateway cannot be used yet", reason=error.text)
        return
    log.info("gateway", name=about.name, version=about.version)
    if about.seconds_per_call > EXPENSIVE_SECONDS:
        log.warning(
            "each call costs the gateway much of its processor: its key is stored as a bcrypt hash",
            ms_per_call=round(about.seconds_per_call * 1000),
            seconds_saved_per_1000_accounts_with_MANAGEMENT_PASSWORD=round(
                saved_seconds(_THOUSAND, about.seconds_per_call)
            ),
        )
