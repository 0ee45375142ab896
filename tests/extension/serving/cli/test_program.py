import ast
from pathlib import Path

import pytest
from click.testing import CliRunner

import extension.serving.cli
from extension.serving.cli.program import COMMANDS, poolkeeper


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


def test_each_command_has_a_file_of_its_name_and_is_imported_only_when_it_is_used() -> None:
    folder = Path(extension.serving.cli.__file__).parent
    program = ast.parse((folder / "program.py").read_text(encoding="utf-8"))
    at_import = {node.module for node in program.body if isinstance(node, ast.ImportFrom)}

    for name in COMMANDS:
        assert (folder / f"{name}.py").exists()
        assert f"extension.serving.cli.{name}" not in at_import
