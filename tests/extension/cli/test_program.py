import ast
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import extension.cli
from extension.cli.program import COMMANDS, poolkeeper


def test_help_names_every_command_with_what_it_does() -> None:
    told = CliRunner().invoke(poolkeeper, ["--help"])

    assert told.exit_code == 0
    for name in COMMANDS:
        assert f"\n  {name}  " in told.output


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name: str) -> None:
    told = CliRunner().invoke(poolkeeper, [name, "--help"])

    assert told.exit_code == 0
    assert told.output.startswith(f"Usage: poolkeeper {name} [OPTIONS]")


def test_the_version_is_told() -> None:
    assert CliRunner().invoke(poolkeeper, ["--version"]).output.startswith("poolkeeper ")


def test_an_unknown_command_is_refused() -> None:
    assert CliRunner().invoke(poolkeeper, ["inspekt"]).exit_code == 2


def test_a_command_that_is_broken_off_does_not_end_as_if_it_had_found_something() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        server = f"http://127.0.0.1:{silent.getsockname()[1]}"
        program = [sys.executable, "-m", "extension", "status", "--server", server]
        environment = {"POOLKEEPER_MANAGEMENT_KEY": "a key"}
        with subprocess.Popen(program, env=environment, stderr=subprocess.PIPE, text=True) as process:
            asked, _ = silent.accept()
            process.send_signal(signal.SIGINT)
            _, told = process.communicate(timeout=30)
            asked.close()

    assert (process.returncode, told) == (130, "poolkeeper: broken off.\n")


def test_each_command_has_a_file_of_its_name_and_is_imported_only_when_it_is_used() -> None:
    folder = Path(extension.cli.__file__).parent
    program = ast.parse((folder / "program.py").read_text(encoding="utf-8"))
    at_import = {node.module for node in program.body if isinstance(node, ast.ImportFrom)}

    for name in COMMANDS:
        assert (folder / f"{name}.py").exists()
        assert f"extension.cli.{name}" not in at_import
