from pathlib import Path

import pytest

from gateway.internal.configuration.model import Plugins
from gateway.internal.plugins.backoff import Backoff
from gateway.internal.plugins.discovery import wanted_plugins
from gateway.internal.plugins.environment import child_environment
from gateway.internal.plugins.sockets import SocketFolder


def executable(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def commands(folder: Path, **settings: object) -> list[tuple[str, ...]]:
    plugins = Plugins(enabled=True, dir=str(folder), configs={"sample": {"enabled": True, **settings}})
    return [each.command for each in wanted_plugins(plugins)]


def test_the_highest_version_in_the_folder_is_started(tmp_path: Path) -> None:
    for name in ("sample-v0.9.1", "sample-v0.10.0", "other-v9.0.0", "sample-v0.10.0.so.txt~"):
        executable(tmp_path / name)
    (tmp_path / "sample-v1.0.0").write_text("no program")

    assert commands(tmp_path) == [(str(tmp_path / "sample-v0.10.0"),)]
    assert commands(tmp_path, store={"version": "0.9.1"}) == [(str(tmp_path / "sample-v0.9.1"),)]


@pytest.mark.parametrize("command", [["run", "it"], "run it"])
def test_a_command_wins_over_the_folder(tmp_path: Path, command: object) -> None:
    executable(tmp_path / "sample")

    assert commands(tmp_path, command=command) == [("run", "it")]


def test_nothing_is_started_that_is_not_enabled_or_has_no_program(tmp_path: Path) -> None:
    executable(tmp_path / "sample")

    assert commands(tmp_path, enabled=False) == []
    assert commands(tmp_path / "nowhere") == []
    off = Plugins(enabled=False, dir=str(tmp_path), configs={"sample": {"enabled": True}})
    assert wanted_plugins(off) == ()
    odd = Plugins(enabled=True, dir=str(tmp_path), configs={"../sample": {"enabled": True, "command": "x"}})
    assert wanted_plugins(odd) == ()


def test_the_environment_is_an_allow_list() -> None:
    found = child_environment(
        {"PATH": "p", "MY_PLUGIN_A": "1", "MANAGEMENT_PASSWORD": "s", "LC_ALL": "C"}, "my-plugin", "f"
    )

    assert set(found) == {"PATH", "MY_PLUGIN_A", "LC_ALL", "GATEWAY_PLUGIN_COOKIE", "PLUGIN_UNIX_SOCKET_DIR"}


def test_waiting_doubles_up_to_its_limit_and_begins_anew_after_a_steady_life() -> None:
    backoff = Backoff()

    assert [backoff.after(0.1) for _ in range(9)] == [0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0]
    assert backoff.after(10.0) == 0.05


def test_folders_of_gateways_that_are_gone_are_removed(tmp_path: Path) -> None:
    base = tmp_path / "base"
    (base / "4194305").mkdir(parents=True)
    (base / "4194305" / "old.sock").touch()
    folder = SocketFolder(base)
    folder.open()

    assert [each.name for each in base.iterdir()] == [folder.path.name]
    assert (base.stat().st_mode & 0o777, folder.path.stat().st_mode & 0o777) == (0o700, 0o700)
    folder.close()
    assert list(base.iterdir()) == []


def test_a_folder_of_somebody_else_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "target").mkdir()
    (tmp_path / "base").symlink_to(tmp_path / "target")

    with pytest.raises(PermissionError):
        SocketFolder(tmp_path / "base").open()
