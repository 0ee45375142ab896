import subprocess
import sys
from pathlib import Path

import pytest

from gateway.internal.configuration.model import Plugins
from gateway.internal.plugins.discovery import plugin_programs
from gateway.internal.plugins.keeper import next_pause
from gateway.internal.plugins.process import child_environment

ROOT = Path(__file__).parents[2] / "src"
FOLDER = Path("gateway/plugin/v1")


def executable(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def commands(folder: Path, **settings: object) -> list[tuple[str, ...]]:
    plugins = Plugins(enabled=True, dir=str(folder), configs={"sample": {"enabled": True, **settings}})
    return [program.command for program in plugin_programs(plugins)]


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
    assert plugin_programs(off) == ()
    odd = Plugins(enabled=True, dir=str(tmp_path), configs={"../sample": {"enabled": True, "command": "x"}})
    assert plugin_programs(odd) == ()


def test_the_environment_is_an_allow_list() -> None:
    environment = child_environment(
        {"PATH": "p", "MY_PLUGIN_A": "1", "MANAGEMENT_PASSWORD": "s", "LC_ALL": "C"}, "my-plugin", "f"
    )

    assert set(environment) == {"PATH", "MY_PLUGIN_A", "LC_ALL", "GATEWAY_PLUGIN_COOKIE", "PLUGIN_UNIX_SOCKET_DIR"}


def test_the_pause_doubles_up_to_its_limit_and_begins_anew_after_a_steady_life() -> None:
    pauses = [0.0]
    for _ in range(9):
        pauses.append(next_pause(pauses[-1], 0.1))

    assert pauses[1:] == [0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0]
    assert next_pause(5.0, 10.0) == 0.05


@pytest.mark.parametrize("name", ["plugin", "go_plugin"])
def test_the_messages_are_those_of_the_contract(tmp_path: Path, name: str) -> None:
    outputs = [f"--python_out={tmp_path}", f"--pyi_out={tmp_path}"]
    command = [sys.executable, "-m", "grpc_tools.protoc", f"-I{ROOT}", *outputs, str(ROOT / FOLDER / f"{name}.proto")]
    subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - a list of ours

    for written in (f"{name}_pb2.py", f"{name}_pb2.pyi"):
        assert (tmp_path / FOLDER / written).read_text() == (ROOT / FOLDER / written).read_text()


def test_a_gateway_without_plugins_imports_no_grpc() -> None:
    script = "import sys, gateway.__main__; print(sorted({'grpc', 'google.protobuf'} & sys.modules.keys()))"
    done = subprocess.run(  # noqa: S603 - as above
        [sys.executable, "-c", script], check=True, capture_output=True, text=True, env={"PYTHONPATH": str(ROOT)}
    )

    assert done.stdout.strip() == "[]"
