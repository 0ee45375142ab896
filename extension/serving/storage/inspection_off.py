"""Service without its store: the gateway serves inference, and own paths say why inspection is off."""

from starlette.types import ASGIApp, Receive, Scope, Send

from extension.api.auth.authenticator import Authenticator
from extension.api.auth.middleware import AuthenticationMiddleware
from extension.api.auth.stream_guard import StreamGuard
from extension.api.paths import Paths
from extension.api.problems import Problem
from extension.store.errors import StoreError
from extension.store.integrity import recovery


def inspection_off(fault: StoreError, authenticator: Authenticator, streams: StreamGuard, paths: Paths) -> ASGIApp:
    """Make the application that answers own paths: the reason for callers with the key, less for everyone else."""

    async def refuse(scope: Scope, receive: Receive, send: Send) -> None:
        known = "principal" in scope.get("state", {})
        cause = str(fault).removesuffix(recovery(fault)).strip()  # the hint says the rest
        text = f"Inspection is off: {cause}" if known else "Inspection is off. The log of the service says why."
        await Problem(503, text, "inspection_off", recovery(fault)).answer()(scope, receive, send)

    return AuthenticationMiddleware(refuse, authenticator, frozenset({paths.session}), streams)
