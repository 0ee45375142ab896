"""The service as an attacker meets it: embedded, and in front of a gateway elsewhere."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.system.client import Client
from tests.system.process import Service, serving
from tests.system.stand_in import providers_at
from tools.project.demo.folder import open_folder

HERE = Path(__file__).parent
SMOKE = {
    "test_wrong_keys_of_one_client_ban_nobody_else",
    "test_a_changed_key_ends_sessions_and_streams_and_bans_nobody",
    "test_a_page_of_another_site_never_locks_the_operator_out",
    "test_requests_without_a_key_never_have_us_banned_at_the_gateway",
    "test_heads_beyond_the_limits_are_431_and_take_no_memory",
    "test_sigterm_ends_the_process_beside_streams_idle_connections_and_probes_without_an_answer",
    "test_a_configuration_replaced_while_running_keeps_the_last_good_one_and_the_end_is_quick",
    "test_sessions_that_cannot_be_read_are_none_and_hold_nothing_up",
    "test_no_disguise_of_a_key_is_stored_answered_or_logged",
    "test_no_spelling_of_an_inner_address_is_called",
    "test_a_session_writes_only_with_its_token_and_ends_its_stream_at_sign_out",
}
"""Attacks of which `make test` makes the first form; all others are long forms."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    remaining = set(SMOKE)
    for item in items:
        if HERE in item.path.parents:
            name = getattr(item, "originalname", "")
            if name in remaining:
                remaining.discard(name)
            else:
                item.add_marker("soak")


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

    def descriptors(self) -> int:
        """Descriptors the process may have open."""
        limits = Path(f"/proc/{self.service.process.pid}/limits").read_text("ascii")
        line = next(line for line in limits.splitlines() if line.startswith("Max open files"))
        return int(line.split()[3])


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


@pytest.fixture
def few_descriptors() -> Iterator[None]:
    """Start the service with a soft limit of 256 descriptors, which it may raise."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


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
