"""The service as an attacker meets it: embedded, and in front of a gateway elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from tests.system.client import Client
from tests.system.process import Service, serving
from tests.system.stand_in import providers_at
from tools.project.demo.folder import open_folder


@dataclass(frozen=True, slots=True)
class Target:
    """A running service: its port, its process, and the port of the gateway behind it."""

    port: int
    key: str
    service: Service
    gateway: Client
    config: Path

    @property
    def client(self) -> Client:
        return Client(self.port, self.key)

    def memory(self) -> int:
        """Megabytes of memory the process holds."""
        status = Path(f"/proc/{self.service.process.pid}/status").read_text("ascii")
        line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) // 1024


SMOKE: Final = frozenset(
    {
        "test_wrong_keys_of_one_client_ban_nobody_else",
        "test_a_changed_key_ends_sessions_and_streams_and_bans_nobody[remote-called]",
        "test_heads_beyond_the_limits_are_refused_and_take_no_memory[remote]",
        "test_sigterm_ends_the_process_beside_streams_idle_connections_and_probes_without_an_answer[remote]",
        "test_sessions_that_cannot_be_read_are_none_and_hold_nothing_up[embedded]",
        "test_no_key_is_stored_answered_or_logged_in_any_form[embedded-in_json]",
        "test_no_spelling_of_an_inner_address_is_called[embedded]",
        "test_no_odd_request_makes_the_server_fail[remote-reduced]",
        "test_a_session_writes_only_with_its_token_and_ends_its_stream_at_sign_out[remote]",
    }
)
"""The tests of this folder that `make test` runs; all others are long forms."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave the long forms to `make soak`."""
    for item in items:
        if item.path.parent == Path(__file__).parent and item.name not in SMOKE:
            item.add_marker(pytest.mark.soak)


@pytest.fixture(params=["embedded", "remote"])
def mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def allow_remote() -> bool:
    """Setting `allow-remote` of the gateway; a module whose attackers have addresses of their own overrides it."""
    return False


@pytest.fixture
def trusted_proxies() -> str:
    """Lines of the configuration that name proxies; a module whose attackers come through one overrides it."""
    return ""


@pytest.fixture
def target(mode: str, allow_remote: bool, trusted_proxies: str, tmp_path: Path) -> Iterator[Target]:
    folder = open_folder(tmp_path / "demo")
    text = folder.config.read_text("utf-8")
    if allow_remote:
        text = text.replace("allow-remote: false", "allow-remote: true")
    folder.config.write_text(trusted_proxies + text, "utf-8")
    with providers_at(folder.providers_port), serving(folder.config) as embedded:
        gateway = Client(folder.gateway_port, folder.management_key)
        if mode == "embedded":
            yield Target(folder.gateway_port, folder.management_key, embedded, gateway, folder.config)
            return
        with in_front(folder.gateway_port, folder.management_key, tmp_path) as (service, port):
            yield Target(port, folder.management_key, service, gateway, folder.config)


class in_front:  # noqa: N801 - used as a context, like `serving`
    """A service in front of a gateway of this machine, at a free port."""

    def __init__(self, gateway_port: int, management_key: str, place: Path) -> None:
        self._service = Service(
            ["--gateway", f"http://127.0.0.1:{gateway_port}", "--listen", "127.0.0.1:0"],
            {
                "POOLKEEPER_MANAGEMENT_KEY": management_key,
                "POOLKEEPER_DATA_DIR": str(place / "remote"),
            },
        )

    def __enter__(self) -> tuple[Service, int]:
        self._service.wait_until_ready()
        line = next(line for line in self._service.lines if "inspection page" in line)
        return self._service, int(line.partition("127.0.0.1:")[2].partition("/")[0])

    def __exit__(self, *_: object) -> None:
        self._service.stop()
