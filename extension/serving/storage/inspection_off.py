"""Service without its store: the gateway serves inference, and own paths say why inspection is off."""

from starlette.types import ASGIApp, Receive, Scope, Send

from adapter.contract.expectations import LIVE, READY
from extension.api.auth.authenticator import Authenticator
from extension.api.auth.middleware import AuthenticationMiddleware
from extension.api.auth.stream_guard import StreamGuard
from extension.api.metrics.description import health
from extension.api.paths import Paths
from extension.api.problems import Problem
from extension.serving.storage.store_retry import unavailable
from extension.store.errors import DatabaseUnavailable, StoreError
from extension.store.integrity import may_pass, recovery

_FOR_STRANGERS = {
    False: "Inspection is off. The log of the service says why.",
    True: (
        "Inspection is off: the data folder or database cannot be used at the moment. The log of the service says why."
    ),
}
"""Text without a path or a name; by whether the fault may pass."""
_SAFE = frozenset({"GET", "HEAD"})


def _for_strangers(fault: StoreError) -> str:
    plain = fault.plain if isinstance(fault, DatabaseUnavailable) else ""
    return f"Inspection is off: the database cannot be used: {plain}" if plain else _FOR_STRANGERS[may_pass(fault)]


def inspection_off(fault: StoreError, authenticator: Authenticator, streams: StreamGuard, paths: Paths) -> ASGIApp:
    """Make the application that answers own paths: the reason for callers with the key, less for everyone else.

    The health checks stay open: the service lives, and is not ready.
    """

    async def refuse(scope: Scope, receive: Receive, send: Send) -> None:
        known = "principal" in scope.get("state", {})
        cause = str(fault).removesuffix(recovery(fault)).strip()  # the hint says the rest
        text = f"Inspection is off: {cause}" if known else _for_strangers(fault)
        problem = unavailable(text) if may_pass(fault) else Problem(503, text, "inspection_off", recovery(fault))
        await problem.answer()(scope, receive, send)

    guarded = AuthenticationMiddleware(refuse, authenticator, frozenset({paths.session}), streams)

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == LIVE and scope["method"] in _SAFE:
            await health(ready=True)(scope, receive, send)
        elif scope["path"] == READY and scope["method"] in _SAFE:
            await refuse(scope, receive, send)
        else:
            await guarded(scope, receive, send)

    return answer
