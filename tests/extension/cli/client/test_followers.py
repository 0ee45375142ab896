"""Following a run or a batch through an absence of the database."""

import dataclasses
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from adapter.privacy.secret import Secret
from extension.api.paths import Paths
from extension.cli.client import followers
from extension.cli.client.client import Client, StoreRefused
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
def location(service: Service) -> Any:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            service.asked += 1
            away = service.asked <= service.refusals
            body = json.dumps(AWAY if away else ENDED).encode()
            self.send_response(503 if away else 200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.01,)).start()
    yield ServiceLocation(Client(f"http://127.0.0.1:{server.server_port}", Secret("k")), Paths("poolkeeper"))
    server.shutdown()
    server.server_close()


def test_a_database_that_is_away_for_a_moment_ends_no_command(
    location: ServiceLocation, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(followers, "_PAUSE_SECONDS", 0.01)
    states = list[str]()

    run = followers.follow(location, 1, lambda current: states.append(current["state"]))

    assert (run["state"], states) == ("finished", ["finished"])
    assert service.asked > service.refusals


def test_a_database_that_stays_away_ends_the_command(
    location: ServiceLocation, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(followers, "_PAUSE_SECONDS", 0.01)
    monkeypatch.setattr(followers, "_ATTEMPTS", 2)

    with pytest.raises(StoreRefused):
        followers.follow(location, 1, lambda _: None)
    assert service.asked == 2
