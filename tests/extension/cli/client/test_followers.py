"""Following a run or a batch: through an absence of the database, and through a gateway without a stream."""

import dataclasses
import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from adapter.privacy.secret import Secret
from extension.api.paths import Paths
from extension.cli.client import batch_follower, run_follower
from extension.cli.client.client import Client
from extension.cli.client.service_lookup import ServiceLocation

NO_STREAM = {"error": "There is no event stream.", "code": "no_stream"}
AWAY = {"error": "The database refused.", "code": "store", "hint": "Check it."}
ENDED = {"runs": [{"id": 1, "state": "finished", "done": 2, "total": 2}], "batches": [{"id": 1, "state": "finished"}]}


@dataclasses.dataclass
class Service:
    """A service whose database refuses the first requests."""

    refusals: int
    asked: int = 0


@pytest.fixture
def service() -> Service:
    return Service(refusals=3)


@pytest.fixture
def found(service: Service) -> Any:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            service.asked += 1
            away = service.asked <= service.refusals
            body = b"" if not away and "events" in self.path else json.dumps(AWAY if away else ENDED).encode()
            self.send_response(503 if away else 200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.01,)).start()
    yield ServiceLocation(Client(f"http://127.0.0.1:{server.server_port}", Secret("k")), Paths.under("poolkeeper"))
    server.shutdown()
    server.server_close()


def followed_run(found: ServiceLocation) -> Any:
    return run_follower.follow(found, 1, 0, lambda _done, _total: None)["state"]


def followed_batch(found: ServiceLocation) -> Any:
    return batch_follower._followed(found, 1, 0, lambda _batch: None)["state"]


@pytest.mark.parametrize("follow", [followed_run, followed_batch])
def test_a_database_that_is_away_for_a_moment_ends_no_command(
    found: ServiceLocation, service: Service, monkeypatch: pytest.MonkeyPatch, follow: Callable[[ServiceLocation], Any]
) -> None:
    for module in (run_follower, batch_follower):
        monkeypatch.setattr(module, "_PAUSE_SECONDS", 0.01)

    assert follow(found) == "finished"
    assert service.asked > service.refusals


@dataclasses.dataclass
class Plugin:
    """A plugin in a gateway that delivers whole answers only: what it was asked, and its run in progress."""

    asked: list[str]
    accept: list[str]

    def answer(self, path: str) -> tuple[int, dict[str, Any]]:
        if "events" not in path:
            state = "finished" if any("after=3" in each for each in self.asked) else "running"
            run = {"id": 1, "state": state, "done": 2, "total": 2}
            return 200, {"runs": [run], "batches": [run]}
        if self.accept[-1] == "text/event-stream":
            return 406, NO_STREAM
        progress = {"done": 1, "total": 2, "batch": 1, "state": "running"}
        events = [{"seq": 3, "at": 1, "kind": "run.progress", "run": 1, "data": progress}]
        return 200, {"events": [] if "after=3" in path else events, "next": 3}


@pytest.fixture
def plugin() -> Plugin:
    return Plugin([], [])


@pytest.fixture
def relayed(plugin: Plugin) -> Any:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            plugin.asked.append(self.path)
            plugin.accept.append(self.headers["Accept"])
            status, answer = plugin.answer(self.path)
            body = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.01,)).start()
    yield ServiceLocation(Client(f"http://127.0.0.1:{server.server_port}", Secret("k")), Paths.under("poolkeeper"))
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("follow", [followed_run, followed_batch])
def test_a_gateway_without_a_stream_is_asked_page_by_page(
    relayed: ServiceLocation, plugin: Plugin, monkeypatch: pytest.MonkeyPatch, follow: Callable[[ServiceLocation], Any]
) -> None:
    for module in (run_follower, batch_follower):
        monkeypatch.setattr(module, "_PAUSE_SECONDS", 0.01)

    assert follow(relayed) == "finished"
    assert plugin.accept.count("text/event-stream") == 1, "asked for a stream again"
    assert any("after=0" in each for each in plugin.asked)
