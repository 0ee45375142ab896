"""Description of the gateway in our own process, as JSON: its routes and the configuration keys it reads.

`python -m adapter.embedded.introspect` looks at the tree that stands first on the import path, so that a candidate can
be judged like the mirrored one. It opens no listener and no connection: the application is built and called directly.
The management secret is set explicitly, because without one no management route exists.
"""

import asyncio
import json
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any

from gateway import __version__
from gateway.internal.configuration import loading
from gateway.internal.configuration.reading import Place
from gateway.internal.management.application import build_application
from gateway.internal.runtime import Runtime

from adapter.contract.expectations import MANAGEMENT, SECTIONS
from adapter.port import ASGIApp

SCHEMA = 1
_NOT_FOUND = 404
_PARAMETER = re.compile(r"\{(\w+)(:\w+)?\}")
_SAMPLE = "sample"
_ENTRY = {
    "api-key": "key",
    "base-url": "http://upstream.invalid",
    "headers": {"name": "value"},
    "models": [{"name": "model", "alias": "alias"}],
    "excluded-models": ["model"],
    "name": _SAMPLE,
    "api-key-entries": [{"api-key": "key"}],
}


def main() -> int:
    """Print the JSON to standard output; the gateway's log goes to standard error."""
    with redirect_stdout(sys.stderr):
        report = asyncio.run(introspect("introspection"))
    print(json.dumps(report, indent=1, sort_keys=True))  # noqa: T201 - standard output is this command's answer
    return 0


async def introspect(secret: str) -> dict[str, Any]:
    """Build the gateway over a configuration with this management secret and return its description.

    `schema`, `gateway` (its version), `routes` (method and path, sorted), `keys` (dots between levels, `[]` for
    the items of a list, `*` for a name the operator chooses, sorted).
    """
    with tempfile.TemporaryDirectory(prefix="introspect-") as folder:
        path = Path(folder) / "config.yaml"
        path.write_text(json.dumps({"auth-dir": folder, "remote-management": {"secret-key": secret}}), encoding="utf-8")
        runtime = Runtime(path, environment={}, hashing_cost=4, watch=False)
        application = build_application(runtime)
        await runtime.start()
        try:
            routes = [route async for route in _existing(application)]
        finally:
            await runtime.stop()
    return {
        "schema": SCHEMA,
        "gateway": __version__,
        "routes": [{"method": method, "path": route} for method, route in sorted(routes)],
        "keys": keys_read(),
    }


async def _existing(application: ASGIApp) -> Any:
    """Yield the registered routes; a management route only while the gate in front of it lets it exist.

    A request without a key never reaches a handler: the gate answers it, with 404 when there is no such route.
    """
    for method, path in registered(getattr(application, "routes", ())):
        below = path == MANAGEMENT or path.startswith(f"{MANAGEMENT}/")
        if not below or await _status(application, method, _PARAMETER.sub("x", path)) != _NOT_FOUND:
            yield method, path


def registered(routes: Iterable[object], above: str = "") -> Iterator[tuple[str, str]]:
    """Yield method and full path of every route of a Starlette routing table, those of mounted tables included."""
    for route in routes:
        path = above + str(getattr(route, "path", ""))
        inner = getattr(route, "routes", None)
        if inner:
            yield from registered(inner, path)
        else:
            yield from ((method, path) for method in getattr(route, "methods", None) or ())


async def _status(application: ASGIApp, method: str, path: str) -> int:
    statuses: list[int] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": b"",
        "headers": [(b"host", b"localhost")],
        "client": ("127.0.0.1", 1),
        "server": ("localhost", 80),
    }
    await application(scope, receive, send)
    return statuses[0] if statuses else _NOT_FOUND


def keys_read() -> list[str]:
    """The configuration keys the gateway's loader asks for when it reads a file that has something of everything."""
    sample: dict[str, Any] = {section: [_ENTRY] for section in SECTIONS}
    sample["plugins"] = {"configs": {_SAMPLE: {}}}
    with _recording() as paths:
        loading.parse(json.dumps(sample))
    return sorted({_dotted(path) for path in paths})


@contextmanager
def _recording() -> Iterator[list[tuple[str | int, ...]]]:
    """Note every place the loader asks for, for as long as the context lasts."""
    paths: list[tuple[str | int, ...]] = []
    original = Place.at

    def noting(self: Place, key: str) -> Place:
        place = original(self, key)
        paths.append(place.path)
        return place

    Place.at = noting  # type: ignore[method-assign] # the loader has no other seam, and this process does nothing else
    try:
        yield paths
    finally:
        Place.at = original  # type: ignore[method-assign] # as above


def _dotted(path: Sequence[str | int]) -> str:
    text = ""
    for step in path:
        if isinstance(step, int):
            text += "[]"
        else:
            text += ("." if text else "") + ("*" if step == _SAMPLE else step)
    return text


if __name__ == "__main__":
    sys.exit(main())
