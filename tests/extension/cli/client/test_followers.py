"""Following a run or a batch while the database of the service is away for a moment."""

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
