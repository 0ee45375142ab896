import fcntl
import os
import socket
from pathlib import Path

import pytest

from adapter.fake import FakeGateway
from adapter.port import Capability
from extension.serving.service_file import RunningService, announce, read, withdraw
from extension.serving.web.listening import listening_authority, service_address
from tests.extension.running_service import KEY, gateway_of_two, running

SERVICE = RunningService("http://127.0.0.1:8317", "poolkeeper", 4711)


def test_what_is_announced_is_read(tmp_path: Path) -> None:
    announce(tmp_path, SERVICE)

    assert read(tmp_path) == SERVICE
    assert [path.name for path in tmp_path.iterdir()] == ["service.json"]


def test_only_its_owner_may_read_it_whatever_was_there_before(tmp_path: Path) -> None:
    (tmp_path / "service.json").write_text("{}", encoding="utf-8")
    (tmp_path / "service.json").chmod(0o644)

    announce(tmp_path, SERVICE)

    assert (tmp_path / "service.json").stat().st_mode & 0o777 == 0o600


def test_a_service_removes_its_own_and_never_anothers(tmp_path: Path) -> None:
    announce(tmp_path, SERVICE)

    withdraw(tmp_path, 1)
    assert read(tmp_path) == SERVICE
    withdraw(tmp_path, SERVICE.pid)
    assert read(tmp_path) is None
    withdraw(tmp_path, SERVICE.pid)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"address": "x", "prefix": "y", "pid": "many"}', "\x00"])
def test_a_file_that_is_not_one_is_as_good_as_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "service.json").write_text(text, encoding="utf-8")

    assert read(tmp_path) is None


async def test_a_running_service_says_where_it_is_until_it_stops(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    async with running(folder) as service:
        assert read(folder) == RunningService(service.address, "poolkeeper", os.getpid())
        assert KEY not in (folder / "service.json").read_text(encoding="utf-8")

    assert read(folder) is None


def test_a_process_finds_where_it_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listening = f"127.0.0.1:{listener.getsockname()[1]}"

        assert listening_authority() == listening


@pytest.mark.parametrize(
    ("host", "family", "shown"),
    [("0.0.0.0", socket.AF_INET, "127.0.0.1"), ("::1", socket.AF_INET6, "[::1]"), ("::", socket.AF_INET6, "127.0.0.1")],
)
def test_an_address_is_shown_as_this_machine_reaches_it(host: str, family: socket.AddressFamily, shown: str) -> None:
    with socket.create_server((host, 0), family=family) as listener:
        assert listening_authority() == f"{shown}:{listener.getsockname()[1]}"


async def test_the_scheme_follows_the_gateways_configuration() -> None:
    without = FakeGateway("tls: {enable: true}", capabilities=frozenset(Capability) - {Capability.CONFIGURATION})

    assert await service_address(gateway_of_two(), "h:1") == "http://h:1"
    assert await service_address(FakeGateway("tls: {enable: true}"), "h:1") == "https://h:1"
    assert await service_address(without, "h:1") == "http://h:1"


def test_looking_for_its_sockets_leaves_a_process_no_copy_of_a_locked_file(tmp_path: Path) -> None:
    lock, exclusively = tmp_path / "service.lock", fcntl.LOCK_EX | fcntl.LOCK_NB
    with lock.open("w") as locked_file:
        fcntl.flock(locked_file, exclusively)
        listening_authority()

    with lock.open("w") as again:
        fcntl.flock(again, exclusively)
