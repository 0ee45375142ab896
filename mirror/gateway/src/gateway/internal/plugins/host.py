"""The gateway as seen by plugins: its description, and its management API without network and key."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.types import ASGIApp, Message, Scope

from gateway import __version__
from gateway.internal.configuration.model import Configuration

if TYPE_CHECKING:
    from gateway.plugin.v1.plugin_pb2 import ConfigureRequest, HostInfo, HttpRequest, HttpResponse

ADMITTED = "gateway.admitted"
"""Extension in the ASGI scope of a request that needs no key; no server sets it."""
GUARDED_BELOW = "/v0/management/"
GUARDED = 1
"""Value of ``ACCESS_GUARDED`` in the contract, without importing it."""
HOST_SERVICE = 1
_CAPABILITIES = ("manage", "streams", "raw-json", "open-paths", "remote-address")
_NOT_FOUND = 404
_WILDCARDS = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "[::1]"}  # noqa: S104 - compared, never bound


class PluginError(Exception):
    """The plugin process cannot be used; ``str()`` is the reason in a few words."""


class Host:
    """Describes the gateway, and passes management requests of plugins on to ``application`` once that is set."""

    def __init__(self, config_path: Path, configuration: Callable[[], Configuration]) -> None:
        self._config_path = config_path
        self._configuration = configuration
        self.application: ASGIApp | None = None

    def info(self) -> "HostInfo":
        """Describe the gateway."""
        from gateway.plugin.v1.plugin_pb2 import HostInfo

        configuration = self._configuration()
        scheme = "https" if configuration.tls.enable else "http"
        host = _WILDCARDS.get(configuration.host, configuration.host)
        return HostInfo(
            name="poolkeeper-gateway",
            version=__version__,
            capabilities=_CAPABILITIES,
            gateway_url=f"{scheme}://{host}:{configuration.port}",
            config_path=str(self._config_path.absolute()),
        )

    def configure_request(self, settings: bytes, *, first: bool) -> "ConfigureRequest":
        """Return the call that sends a plugin its settings."""
        from gateway.plugin.v1.plugin_pb2 import ConfigureRequest

        return ConfigureRequest(host=self.info(), settings_yaml=settings, host_service=HOST_SERVICE, first=first)

    async def manage(self, request: "HttpRequest") -> "HttpResponse":
        """Answer a management request of a plugin."""
        from gateway.plugin.v1.plugin_pb2 import Header, HttpResponse

        if self.application is None or not request.path.startswith(GUARDED_BELOW):
            return HttpResponse(status=_NOT_FOUND)
        messages: list[Message] = []

        async def send(message: Message) -> None:
            messages.append(message)

        received: list[Message] = [{"type": "http.request", "body": request.body, "more_body": False}]

        async def receive() -> Message:
            if not received:
                await asyncio.Event().wait()  # there is no connection whose end could be received
            return received.pop()

        await self.application(_scope(request), receive, send)
        headers = [
            Header(name=name.decode("latin-1"), values=[value.decode("latin-1")])
            for name, value in messages[0].get("headers", ())
        ]
        body = b"".join(message.get("body", b"") for message in messages[1:])
        return HttpResponse(status=messages[0]["status"], headers=headers, body=body)


def _scope(request: "HttpRequest") -> Scope:
    headers = [
        (header.name.lower().encode("latin-1"), value.encode("latin-1", "replace"))
        for header in request.headers
        for value in header.values
    ]
    headers.append((b"content-length", str(len(request.body)).encode()))
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": "http",
        "path": request.path,
        "raw_path": request.path.encode("latin-1", "replace"),
        "query_string": request.query.encode("latin-1", "replace"),
        "root_path": "",
        "headers": headers,
        "client": ("127.0.0.1", 0),
        "server": ("127.0.0.1", 0),
        "state": {},
        "extensions": {ADMITTED: {}},
    }
