"""Never send a request twice, but for the one case where it cannot have arrived."""

from types import SimpleNamespace

import aiohttp


def repeat_only_on_kept_connections() -> aiohttp.TraceConfig:
    """Return what stops the library from sending an idempotent request again after a fresh connection broke.

    aiohttp repeats such a request once, whatever connection it went over. On a kept connection that is right: the
    upstream closed it while it was idle, and giving up would make a healthy upstream look dead. On a connection opened
    for this very request the upstream has seen it and hung up, which is an answer of its own.
    """
    config = aiohttp.TraceConfig()
    config.on_connection_reuseconn.append(_kept)
    config.on_connection_create_start.append(_fresh)
    return config


async def _kept(_session: aiohttp.ClientSession, request: SimpleNamespace, _params: object) -> None:
    _refuse_after_a_fresh_one(request)


async def _fresh(_session: aiohttp.ClientSession, request: SimpleNamespace, _params: object) -> None:
    _refuse_after_a_fresh_one(request)
    request.went_over_a_fresh_connection = True


def _refuse_after_a_fresh_one(request: SimpleNamespace) -> None:
    if getattr(request, "went_over_a_fresh_connection", False):
        raise aiohttp.ServerDisconnectedError
