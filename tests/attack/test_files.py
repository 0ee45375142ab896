"""Pipes, devices and huge files in the place of ours: nothing waits for them, and inference goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from adapter.clock import SystemClock
from adapter.contract.expectations import own
from tests.attack.conftest import Target, in_front
from tests.extension.serving.files_in_the_way import IN_THE_WAY, device, folder, pipe, put_in_the_way
from tests.system.client import Client
from tests.system.process import Service, run_command, serving
from tests.system.stand_in import providers_at
from tools.project.demo.folder import open_folder

pytestmark = pytest.mark.slow

MOST_SECONDS = 5
HUGE = b"a: b\n" * 4_000_000
"""20 MB, more than a config.yaml may have."""


def ends_soon(service: Service) -> None:
    clock = SystemClock()
    began = clock.monotonic()
    assert service.stop() == 0
    assert clock.monotonic() - began < MOST_SECONDS


def huge(path: Path) -> None:
    path.write_bytes(HUGE)


@pytest.mark.parametrize("make", [*IN_THE_WAY, huge])
def test_no_service_starts_with_something_else_than_a_file_as_its_configuration(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    reason = "larger than 16 MiB" if make is huge else "Is a directory" if make is folder else "not a regular file"
    config = tmp_path / "config.yaml"
    put_in_the_way(config, make)
    before = sorted(tmp_path.iterdir())
    answer = run_command("serve", "--config", str(config), timeout=20)
    (line,) = answer.stderr.strip().splitlines()
    assert answer.returncode == 1
    assert str(config) in line
    assert reason in line
    assert "--config" in line
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("make", [pipe, device, folder, huge])
def test_a_configuration_replaced_while_running_keeps_the_last_good_one_and_the_end_is_quick(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    demo = open_folder(tmp_path / "demo")
    with providers_at(demo.providers_port), serving(demo.config) as service:
        client = Client(demo.gateway_port, demo.management_key)
        put_in_the_way(demo.config, make)
        service.wait_until("not usable")
        for _ in range(3):
            assert client.own("GET", "info")["gateway"]
        ends_soon(service)
    assert service.output.count("is not usable") == 1
    assert "Traceback" not in service.output


def test_sessions_that_cannot_be_read_are_none_and_hold_nothing_up(target: Target, mode: str, tmp_path: Path) -> None:
    target.service.stop()
    data = data_folder(target, mode, tmp_path)
    put_in_the_way(data / "sessions.json", pipe)
    with again(target, mode, tmp_path) as (service, client):
        assert client.own("GET", "info")
        ends_soon(service)
    assert "stored sessions cannot be read" in service.output


def test_a_key_that_cannot_be_read_switches_inspection_off_alone(target: Target, mode: str, tmp_path: Path) -> None:
    target.service.stop()
    put_in_the_way(data_folder(target, mode, tmp_path) / "secret.key", pipe)
    assert_off(target, mode, tmp_path, "secret.key cannot be read", "store_unavailable")


def test_a_data_folder_that_is_read_only_switches_inspection_off_alone(
    target: Target, mode: str, tmp_path: Path
) -> None:
    target.service.stop()
    data = data_folder(target, mode, tmp_path)
    data.chmod(0o500)
    assert_off(target, mode, tmp_path, "is read-only", "store_unavailable")
    data.chmod(0o700)
    with again(target, mode, tmp_path) as (_, client):
        assert client.own("GET", "info")


def test_a_database_emptied_after_its_use_switches_inspection_off_alone(
    target: Target, mode: str, tmp_path: Path
) -> None:
    target.client.own("POST", "info/session", {"key": target.key})
    target.service.stop()
    (data_folder(target, mode, tmp_path) / "poolkeeper.db").write_bytes(b"")
    assert_off(target, mode, tmp_path, "poolkeeper.db is empty")


def data_folder(target: Target, mode: str, place: Path) -> Path:
    return target.config.parent / "poolkeeper" if mode == "embedded" else place / "remote"


@contextmanager
def again(target: Target, mode: str, place: Path) -> Iterator[tuple[Service, Client]]:
    """Start the service of a target once more; that of a remote gateway alone, which goes on."""
    if mode == "embedded":
        with serving(target.config) as service:
            yield service, target.client
    else:
        with in_front(target.gateway.port, target.key, place) as (service, port):
            yield service, Client(port, target.key)


def assert_off(target: Target, mode: str, place: Path, reason: str, code: str = "inspection_off") -> None:
    with again(target, mode, place) as (service, client):
        answer = client.ask("GET", own("pool"))
        passed = client.gateway("GET", "debug")
        ends_soon(service)
    assert (answer.status, answer.body["code"], passed.status) == (503, code, 200)
    assert reason in answer.body["error"]
    assert "The gateway serves inference meanwhile" in answer.body["hint"]
    assert "Traceback" not in service.output
