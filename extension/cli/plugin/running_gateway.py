"""The plugin in a running gateway, over the gateway's management API."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any, Final, Self

from adapter.contract.expectations import management
from adapter.management.client.http import HttpTransport
from adapter.management.client.transport import Request, TransportFailure
from extension.plugin.install.config_edit import PLUGIN

_PLUGINS: Final = management("plugins")
_OWN: Final = management("plugins/poolkeeper")
_OWN_CONFIG: Final = management("plugins/poolkeeper/config")
_OK: Final = 200
_PAUSE: Final = 0.25
_ROUNDS: Final = 40
_DENIED: Final = frozenset({401, 403})


class GatewayRefused(Exception):  # noqa: N818 - the name is the condition
    """The gateway did not do as asked; the message says what to do."""


class RunningGateway:
    """A gateway that answers management requests."""

    def __init__(self, transport: HttpTransport) -> None:
        self._transport = transport

    async def __aenter__(self) -> Self:
        """Use the connection."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close the connection."""
        await self._transport.close()

    async def configure(self, settings: Mapping[str, Any]) -> None:
        """Enable the plugin with these settings; a version pin of the plugin store is removed.

        Raises:
            GatewayRefused: the gateway refuses.
        """
        body = json.dumps({"enabled": True, "store": None, **settings}).encode()
        await self._done("PATCH", _OWN_CONFIG, body)

    async def remove(self) -> None:
        """Unload and delete the plugin.

        Raises:
            GatewayRefused: the gateway refuses.
        """
        await self._done("DELETE", _OWN, None)

    async def state(self) -> dict[str, Any]:
        """Return the entry of the plugin, with `plugins_enabled`; without an entry only that.

        Raises:
            GatewayRefused: the gateway does not list plugins.
        """
        answer = await self._done("GET", _PLUGINS, None)
        entries = answer.get("plugins") or []
        entry: dict[str, Any] = next((one for one in entries if one.get("id") == PLUGIN), {})
        return {"plugins_enabled": bool(answer.get("plugins_enabled")), **entry}

    async def effective(self) -> dict[str, Any]:
        """Wait up to ten seconds until the plugin is in effect; return its state then."""
        state = await self.state()
        for _ in range(_ROUNDS):
            if state.get("effective_enabled") or not state["plugins_enabled"]:
                break
            await asyncio.sleep(_PAUSE)
            state = await self.state()
        return state

    async def _done(self, method: str, path: str, body: bytes | None) -> dict[str, Any]:
        try:
            reply = await self._transport.send(Request(method, path, body=body))
        except TransportFailure as failure:
            raise GatewayRefused(f"{self._transport.address} does not answer ({failure.reason}).") from None
        if reply.status in _DENIED:
            raise GatewayRefused(f"{self._transport.address} refuses the management key: name the one it accepts.")
        if reply.status != _OK:
            raise GatewayRefused(
                f"{self._transport.address} answers {reply.status} to {method} {path}. Plugins need release 7.2.37."
            )
        found = json.loads(reply.body)
        return found if isinstance(found, dict) else {}


def advice(state: Mapping[str, Any]) -> str:
    """Return the next step for a plugin that is not in effect; empty when it is."""
    if state.get("effective_enabled"):
        return ""
    if not state.get("plugins_enabled"):
        return "Plugins are off: set plugins.enabled to true in config.yaml."
    if not state.get("path"):
        return (
            "The gateway does not find the library: run `poolkeeper plugin install --gateway-dir DIR` on its machine."
        )
    if not state.get("enabled"):
        return "The plugin is disabled: set plugins.configs.poolkeeper.enabled to true."
    return "The gateway has not loaded the library: look for `pluginhost` in its log, then restart it."
