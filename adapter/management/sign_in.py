"""Sign-in at a vendor over the management API of a stock gateway."""

from typing import Final
from urllib.parse import urlsplit

from adapter.contract.expectations import management
from adapter.management.client.guarded_client import GuardedClient
from adapter.management.client.interpreting import Misdirected, PathUnknown, content, error_text
from adapter.management.client.transport import Reply, Request
from adapter.port import Capability, errors
from adapter.port.sign_in import SignInBegun, SignInProgress, SignInState
from adapter.privacy.secret import Secret

_ADDRESSES: Final = {
    "claude": management("anthropic-auth-url"),
    "codex": management("codex-auth-url"),
    "antigravity": management("antigravity-auth-url"),
    "kimi": management("kimi-auth-url"),
    "xai": management("xai-auth-url"),
}
_WITH_LISTENER: Final = frozenset({"claude", "codex", "antigravity"})
"""Providers whose vendor sends the browser to a port of this machine, at which the gateway listens if asked to."""
_LISTEN: Final = {"is_webui": "true"}
_STATUS: Final = management("get-auth-status")
_CALLBACK: Final = management("oauth-callback")
_SESSION: Final = management("oauth-session")
_PROGRESS: Final = {"ok": SignInProgress.DONE, "error": SignInProgress.FAILED}
_FAILED: Final = 500
_SECONDS: Final = 30.0
_LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})


class ManagementSignIn:
    """Begins and follows sign-ins; states and addresses are in no error."""

    def __init__(self, client: GuardedClient) -> None:
        self._client = client

    async def begin(self, provider: str) -> SignInBegun:
        await self._client.release()
        path = _ADDRESSES.get(provider)
        if path is None:
            raise errors.Unsupported(Capability.SIGN_IN, f"This gateway signs in no accounts of {provider!r}.")
        try:
            answer = content(await self._asked(path, listens=provider in _WITH_LISTENER))
        except PathUnknown:
            raise errors.Unsupported(Capability.SIGN_IN) from None
        url, state = (str(answer.get(name) or "") if isinstance(answer, dict) else "" for name in ("url", "state"))
        if not state or not _is_web(url):
            raise errors.Unavailable("The gateway's answer names no address to sign in at. Look at its log.")
        return SignInBegun(
            Secret(url), Secret(state), str(answer.get("user_code") or ""), takes_callback=provider in _WITH_LISTENER
        )

    async def _asked(self, path: str, *, listens: bool) -> Reply:
        """Ask for an address; where the gateway cannot listen, because its port is taken, without a listener."""
        if listens:
            reply = await self._client.once(Request("GET", path, _LISTEN, seconds=_SECONDS), {_FAILED})
            if reply.status != _FAILED:
                return reply
        return await self._client.once(Request("GET", path, seconds=_SECONDS))

    async def state(self, state: Secret) -> SignInState:
        reply = await self._client.fetch(_STATUS, state=state.reveal())
        answer = content(reply)
        status = answer.get("status") if isinstance(answer, dict) else None
        progress = _PROGRESS.get(str(status), SignInProgress.WAITING)
        return SignInState(progress, error_text(reply).replace(state.reveal(), "…"))

    async def send_callback(self, state: Secret, address: Secret) -> None:
        body = {"redirect_url": address.reveal(), "state": state.reveal()}
        try:
            await self._client.write("POST", _CALLBACK, body, _SECONDS)
        except (Misdirected, errors.NotFound):  # a stock gateway answers here without the headers that name it
            raise errors.NotFound("The gateway does not wait for this sign-in any more: begin it again.") from None

    async def cancel(self, state: Secret) -> None:
        await self._client.write("DELETE", _SESSION, None, _SECONDS, state=state.reveal())


def _is_web(url: str) -> bool:
    """Return whether a page may lead to an address: over TLS, or on this machine."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return (parts.scheme == "https" and bool(parts.hostname)) or (
        parts.scheme == "http" and parts.hostname in _LOOPBACK
    )
