"""Never send a request twice. Whether to ask again is for those who know what the request does."""

from types import SimpleNamespace

import aiohttp


class Road:
    """Handed along with a request; afterwards it says over what connection the request went."""

    kept = False
    taken = False


def never_repeating() -> aiohttp.TraceConfig:
    """Return what stops the library from sending a request again, and notes in its ``Road`` how it went.

    aiohttp repeats an idempotent request once when the connection is closed under it. On a connection that was kept
    the upstream may have closed it while it was idle, or may have seen the request: the two look alike.
    """
    config = aiohttp.TraceConfig()
    config.on_connection_reuseconn.append(_kept)
    config.on_connection_create_start.append(_fresh)
    return config


async def _kept(_session: aiohttp.ClientSession, context: SimpleNamespace, _params: object) -> None:
    _take(context.trace_request_ctx, kept=True)


async def _fresh(_session: aiohttp.ClientSession, context: SimpleNamespace, _params: object) -> None:
    _take(context.trace_request_ctx, kept=False)


def _take(road: object, *, kept: bool) -> None:
    if not isinstance(road, Road):
        return
    if road.taken:
        raise aiohttp.ServerDisconnectedError
    road.taken, road.kept = True, kept
