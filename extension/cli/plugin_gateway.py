"""The plugin in a running gateway over its management API, and recognition of the gateway of this repository."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TypeVar

from adapter.contract.expectations import management, own
from adapter.management.client.http import AddressInvalid, HttpTransport
from adapter.management.client.interpreting import error_text, is_ban, names_key
from adapter.management.client.release import release_of
from adapter.management.client.transport import Reply, Request, TransportFailure
from adapter.privacy.secret import Secret
from adapter.rules.config_text import ConfigTextInvalid, config_values, section
from extension.cli.plugin_effect import Served, hindrance_of
from extension.plugin.install.config_block import OWN_SECTION, PLUGIN, with_block
from extension.plugin.install.gateway_folder import GatewayFolder, place_in
from extension.plugin.install.placement import key_path

_Answer = TypeVar("_Answer")
_PLUGINS: Final = management("plugins")
_OWN: Final = management("plugins/poolkeeper")
_OWN_CONFIG: Final = management("plugins/poolkeeper/config")
_CONFIG: Final = management("config")
_TEXT: Final = management("config.yaml")
_INFO: Final = own("info")
_DEEPER: Final[tuple[tuple[str, Mapping[str, str]], ...]] = (
    (own("inspections/events"), {"after": str(2**53 - 1)}),
    (own("pool/overview"), {}),
)
"""Paths whose answers come from the store, which may be full as well as away, and from the gateway; either may refuse
the process while `info` answers. No event is behind that number."""
_ANY_HOST: Final = frozenset({"", "0.0.0.0", "::", "[::]"})  # noqa: S104 - compared, not listened at
_OK: Final = 200
_PAUSE: Final = 0.25
_ROUNDS: Final = 40
_MISSING: Final = 404
_FIRST: Final = (7, 2, 37)
"""First stock release that loads libraries of C. v7.1.47 opens each as a plugin of Go, and ends with a fatal error."""
_FORBIDDEN: Final = 403
_DENIED: Final = frozenset({401, _FORBIDDEN})


class GatewayRefused(Exception):  # noqa: N818 - the name is the condition
    """The gateway did not do as asked; the message says what to do."""


class GatewaySilent(GatewayRefused):
    """No gateway answers there."""


class OwnGateway(GatewayRefused):
    """The gateway of this repository, which loads no library."""

    def __init__(self, mark: str, *, from_folder: bool = False) -> None:
        stale = " If a stock gateway uses this folder now, start it and set POOLKEEPER_MANAGEMENT_KEY." * from_folder
        super().__init__(
            f"{mark} It starts the process itself and loads no library: use pip and plugins.configs.{PLUGIN} in"
            f" config.yaml, as docs/plugin.md says. Nothing was written.{stale}"
        )


def asked(transport: HttpTransport, work: Callable[["RunningGateway"], Awaitable[_Answer]]) -> _Answer:
    """Return the result of work with a running gateway, and close the connection."""

    async def working() -> _Answer:
        try:
            return await work(RunningGateway(transport))
        finally:
            await transport.close()

    return asyncio.run(working())


def _entry(answer: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entry of the plugin in a list of plugins; empty without one."""
    entries = answer.get("plugins") or []
    return next((entry for entry in entries if entry.get("id") == PLUGIN), {})


class RunningGateway:
    """A gateway that answers management requests."""

    def __init__(self, transport: HttpTransport) -> None:
        self._transport = transport

    async def configure(self, settings: Mapping[str, Any], *, placed: bool) -> None:
        """Enable the plugin with these settings; a version pin of the plugin store is removed.

        A configuration without a section `plugins` gets one, where the library is there or was `placed` just now.
        """
        state = await self.require_release()
        if not state["plugins_enabled"] and (placed or state.get("path")):
            reply = await self._sent("GET", _TEXT, None)
            longer = with_block(reply.body.decode("utf-8", "replace"), settings) if reply.status == _OK else None
            if longer is not None:
                await self._done("PUT", _TEXT, longer.encode("utf-8"))
                return
        if hindrance := hindrance_of(state):
            untouched = "Its config.yaml was not changed." if placed else "Nothing was written."
            raise GatewayRefused(f"{hindrance} {untouched}")
        body = json.dumps({"enabled": True, "store": None, **settings}).encode()
        await self._done("PATCH", _OWN_CONFIG, body)

    async def remove(self) -> bool:
        """Unload and delete the plugin, every version of it; return whether there was one."""
        was_there = False
        for _ in range(_ROUNDS):
            state = await self.state()
            if not (state.get("path") or state.get("configured") or state.get("registered")):
                break
            await self._done("DELETE", _OWN, None)
            was_there = True
        return was_there

    async def configuration_fault(self) -> str:
        """Return the fault of the gateway's config.yaml; empty when there is none, or it cannot be read."""
        reply = await self._sent("GET", _TEXT, None)
        try:
            await asyncio.to_thread(config_values, reply.body.decode("utf-8", "replace") if reply.status == _OK else "")
        except ConfigTextInvalid as invalid:
            return (
                f"Its config.yaml is not valid YAML{place_in(invalid)}: no change can be made until it is corrected,"
                " and a gateway does not start with it."
            )
        return ""

    async def state(self) -> dict[str, Any]:
        """Return the entry of the plugin, with `plugins_enabled` and `plugins_dir`; without an entry only those."""
        answer = await self._done("GET", _PLUGINS, None)
        switches = {"plugins_enabled": bool(answer.get("plugins_enabled")), "plugins_dir": answer.get("plugins_dir")}
        return switches | _entry(answer)

    async def is_disabled(self) -> bool:
        """Return whether the gateway knows settings of the plugin, but is not to run it; ours says so, too."""
        answer = Served(_OK, (await self._sent("GET", _PLUGINS, None)).body).values
        entry = _entry(answer)
        return bool(entry) and not (answer.get("plugins_enabled") and entry.get("enabled"))

    async def require_release(self) -> dict[str, Any]:
        """Refuse a gateway that would end at a library, or does not load one; return the entry as `state`."""
        state = await self.state()
        release = release_of((await self._sent("GET", _CONFIG, None)).header)
        if release is not None and release.numbers is not None and release.numbers < _FIRST:
            raise GatewayRefused(self._too_old(release.version))
        return state

    async def effective(self) -> dict[str, Any]:
        """Wait up to ten seconds until the plugin is in effect; return its state then."""
        state = await self.state()
        for _ in range(_ROUNDS):
            if state.get("effective_enabled"):
                break
            await asyncio.sleep(_PAUSE)
            state = await self.state()
        return state

    async def served(self, *, loaded: bool, renewed: bool = False) -> Served:
        """Ask the plugin itself through the gateway, for up to ten seconds while it starts.

        A library that was loaded just now has no paths for a moment: v7.2.137 answers 404 then. With `renewed`, the key
        file of the process was written just now, and the process reads it after a refusal of the key that it has.
        """
        served = await self._judged()
        for _ in range(_ROUNDS):
            if not (served.starting or (loaded and served.status == _MISSING) or (renewed and served.key_refused)):
                break
            await asyncio.sleep(_PAUSE)
            served = await self._judged()
        return served

    async def _judged(self) -> Served:
        """Return the answer about the process, or the one in which it says that it cannot serve."""
        served = await self._asked()
        for path, query in _DEEPER if served.version else ():
            deeper = await self._asked(path, query)
            if deeper.answered or deeper.starting:
                return deeper
        return served

    async def _asked(self, path: str = _INFO, query: Mapping[str, str] = MappingProxyType({})) -> Served:
        reply = await self._sent("GET", path, None, query)
        return Served(reply.status, reply.body)

    async def _sent(
        self, method: str, path: str, body: bytes | None, query: Mapping[str, str] = MappingProxyType({})
    ) -> Reply:
        try:
            kind = "application/yaml" if path == _TEXT else "application/json"
            reply = await self._transport.send(Request(method, path, query, body, kind))
        except TransportFailure as failure:
            raise GatewaySilent(f"{self._transport.address} does not answer ({failure.reason}).") from None
        if reply.status in _DENIED and release_of(reply.header):
            raise GatewayRefused(self._denied(reply))
        return reply

    def _denied(self, reply: Reply) -> str:
        """Return the reason of a refusal; a ban or a switch of the gateway says nothing about the key."""
        text = error_text(reply)
        if is_ban(text):
            return (
                f"{self._transport.address} has banned this address, and has not looked at the key ({text}): wait as"
                " long, or restart the gateway, which lifts the ban."
            )
        if reply.status == _FORBIDDEN and not names_key(text):
            return (
                f"{self._transport.address} refuses management from here ({text or 'HTTP 403'}): see remote-management"
                " in its config.yaml."
            )
        return f"{self._transport.address} refuses the management key: name the one it accepts."

    async def _done(self, method: str, path: str, body: bytes | None) -> dict[str, Any]:
        reply = await self._sent(method, path, body)
        release = release_of(reply.header)
        if release is None and reply.status == _MISSING:  # a stock gateway names its release at known paths only
            release = release_of((await self._sent("GET", _CONFIG, None)).header)
        if release is None:
            raise GatewaySilent(
                f"{self._transport.address} answers {reply.status}, but not as a gateway with a management key: correct"
                " the address, or set remote-management.secret-key in config.yaml."
            )
        if release.own:
            raise OwnGateway(f"{self._transport.address} is the gateway of Poolkeeper.")
        if reply.status == _MISSING and path == _PLUGINS:
            raise GatewayRefused(self._too_old(release.version))
        values = Served(reply.status, reply.body).values
        if reply.status != _OK:
            reason = values.get("message") or values.get("error") or "no reason is given"
            raise GatewayRefused(f"{self._transport.address} answers {reply.status} to {method} {path}: {reason}.")
        return dict(values)

    def _too_old(self, version: str) -> str:
        first = ".".join(map(str, _FIRST))
        return f"{self._transport.address} is release {version}. Plugins need release {first} or newer: update it."


def refuse_own_gateway(place: GatewayFolder, key: str | None, *, to_load: bool = False) -> str:
    """Refuse a folder of our own gateway; return why the key was not verified, empty when it was or there is none.

    One that is `to_load` the library is refused, too, where its release is too old for that.

    The running gateway is asked where the key is known: a stock gateway counts a request without one as an attempt.
    """
    address = configured_address(place)
    if key and address:
        try:
            work = RunningGateway.require_release if to_load else RunningGateway.state
            asked(HttpTransport(address, Secret(key)), work)
        except (GatewaySilent, AddressInvalid):
            pass
        except ValueError as error:
            raise GatewayRefused(str(error)) from None
        else:
            return ""
    if mark := own_mark(place):
        raise OwnGateway(f"{mark} belongs to the gateway of Poolkeeper.", from_folder=True)
    return f"no gateway answers at {address or 'the address in config.yaml'}" if key else ""


def own_mark(place: GatewayFolder) -> Path | None:
    """Return the file that shows our own gateway: its lock, or a configuration that starts the process without library.

    `plugin install` names its own key file, and the section of a stock gateway otherwise comes with a library.
    """
    lock = place.config.resolve().with_name(f".{place.config.resolve().name}.lock")
    if lock.is_file():
        return lock
    settings = section(place.values, *OWN_SECTION)
    key_file = str(settings.get("management-key-file") or "")
    named = bool(key_file) and Path(key_file).name != key_path(place.config).name
    libraries = any(place.plugins.glob(f"{PLUGIN}*"))
    return place.config if settings.get("command") and named and not libraries else None


def configured_address(place: GatewayFolder) -> str:
    """Return the address at which the gateway of a configuration listens on this machine; empty when it names none."""
    port, host = place.values.get("port"), str(place.values.get("host") or "").strip()
    if not isinstance(port, int) or not port:
        return ""
    host = "127.0.0.1" if host in _ANY_HOST else f"[{host}]" if ":" in host else host
    secure = section(place.values, "tls").get("enable") is True
    return f"{'https' if secure else 'http'}://{host}:{port}"
