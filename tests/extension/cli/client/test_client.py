"""The command line's client, and how it finds service and key."""

from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar

import pytest

from adapter.privacy.secret import Secret
from extension.cli.client import service_lookup as connecting
from extension.cli.client.client import Client, RequestRefused, Unreachable
from extension.cli.client.service_lookup import connect, management_key
from extension.cli.errors import CommandError
from extension.serving.service_file import RunningService, announce


@pytest.mark.parametrize("address", ["", "127.0.0.1:8317", "ftp://host", "http://"])
def test_an_address_that_is_none_is_refused_with_an_example(address: str) -> None:
    with pytest.raises(Unreachable, match=r"such as http://127\.0\.0\.1:8317"):
        Client(address, Secret("k"))


def test_a_service_that_is_gone_is_unreachable() -> None:
    with pytest.raises(Unreachable, match=r"http://127\.0\.0\.1:1 does not answer"):
        Client("http://127.0.0.1:1", Secret("k")).get("/info")


def test_the_key_comes_from_a_file_before_the_environment(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text("from-file\n", encoding="utf-8")
    environment = {"POOLKEEPER_MANAGEMENT_KEY": "from-environment"}

    assert management_key(environment, file).reveal() == "from-file"
    assert management_key(environment, None).reveal() == "from-environment"


def test_a_key_file_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("", encoding="utf-8")

    with pytest.raises(CommandError, match="empty is empty"):
        management_key({}, tmp_path / "empty")
    with pytest.raises(CommandError, match="missing cannot be read"):
        management_key({}, tmp_path / "missing")


def test_the_service_is_found_beside_the_configuration_or_where_the_data_folder_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POOLKEEPER_MANAGEMENT_KEY", "k")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    for folder, port in (("poolkeeper", 1), ("other", 2), ("state/poolkeeper", 3)):
        (tmp_path / folder).mkdir(parents=True)
        announce(tmp_path / folder, RunningService(f"http://127.0.0.1:{port}", "keeper", 1))

    beside = connect(None, None, tmp_path / "config.yaml", None)
    named = connect(None, tmp_path / "other", tmp_path / "config.yaml", None)
    at_home = connect(None, None, tmp_path / "nowhere" / "config.yaml", None)

    assert [found.client.address[-1] for found in (beside, named, at_home)] == ["1", "2", "3"]
    assert beside.paths.part("info") == "/v0/management/keeper/info"


def test_an_address_given_wins_over_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POOLKEEPER_MANAGEMENT_KEY", "k")

    connection = connect("https://pool.example/", tmp_path, tmp_path / "config.yaml", None)

    assert connection.client.address == "https://pool.example"
    assert connection.paths.part("info") == "/v0/management/poolkeeper/info"


def test_without_a_service_one_line_says_what_to_start(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"No service is running here.*poolkeeper serve --config") as caught:
        connect(None, tmp_path, tmp_path / "config.yaml", None)

    assert "\n" not in caught.value.message
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("key", ["secret-of\nthe-gateway", "secret\x00key", ""])
def test_a_key_that_no_header_can_carry_is_one_clear_line_that_does_not_repeat_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, key: str
) -> None:
    monkeypatch.setattr(connecting, "management_key", lambda *_: Secret(key))

    with pytest.raises(CommandError, match="management key") as refused:
        connect("http://127.0.0.1:1", None, tmp_path / "config.yaml", None)
    assert "secret" not in str(refused.value)


def test_a_key_is_sent_as_it_is_meant_whatever_letters_it_has() -> None:
    seen: list[bytes] = []

    class Place(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(self.headers["X-Management-Key"].encode("latin-1"))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Place) as place:
        thread = Thread(target=place.handle_request)
        thread.start()
        Client(f"http://127.0.0.1:{place.server_port}", Secret(" ключ-é\n")).get("/info")
        thread.join()
    assert seen == ["ключ-é".encode()]


class _Busy(BaseHTTPRequestHandler):
    """Answers too many reads as often as its class says, then a JSON object."""

    refusals = 0

    def do_GET(self) -> None:
        busy = type(self).refusals > 0
        type(self).refusals -= 1
        body = b'{"error": "Too many.", "code": "too_many_reads", "hint": "Wait."}' if busy else b'{"fine": true}'
        self.send_response(429 if busy else 200)
        if busy:
            self.send_header("Retry-After", "3")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        """Write nothing."""


@pytest.mark.parametrize(("refusals", "waits"), [(0, []), (1, [3]), (19, [3] * 19), (99, [3] * 19)])
def test_a_read_is_repeated_as_late_as_the_service_asks_for(refusals: int, waits: list[float]) -> None:
    _Busy.refusals = refusals
    waited: list[float] = []
    with HTTPServer(("127.0.0.1", 0), _Busy) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        client = Client(f"http://127.0.0.1:{server.server_port}", Secret("k"), waited.append)
        try:
            if refusals > len(waits):
                with pytest.raises(RequestRefused, match="Too many"):
                    client.get("/info")
            else:
                assert client.get("/info") == {"fine": True}
        finally:
            server.shutdown()
    assert waited == waits


class _Pending(BaseHTTPRequestHandler):
    """Answers a command and the first question for its outcome with its number, and then with its run."""

    asked: ClassVar[list[str]] = []

    def do_POST(self) -> None:
        self._answer(202, b'{"command": 7}')

    def do_GET(self) -> None:
        self._answer(*(202, b'{"command": 7}') if len(self.asked) == 1 else (200, b'{"run": {"id": 3}}'))

    def _answer(self, status: int, body: bytes) -> None:
        self.asked.append(self.path)
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        """Write nothing."""


def test_a_command_that_is_not_answered_yet_is_asked_for_by_its_number() -> None:
    _Pending.asked.clear()
    waited: list[float] = []
    with HTTPServer(("127.0.0.1", 0), _Pending) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        client = Client(f"http://127.0.0.1:{server.server_port}", Secret("k"), waited.append)
        try:
            assert client.post("/x/keeper/inspections/stop", {"run": 3}) == {"run": {"id": 3}}
        finally:
            server.shutdown()
    outcome = "/x/keeper/pool/commands?command=7"
    assert _Pending.asked == ["/x/keeper/inspections/stop?run=3", outcome, outcome]
    assert waited == [1, 1]
