"""The program that `plugin install` writes into the gateway's configuration."""

from importlib.metadata import version
from pathlib import Path

import pytest
from click.testing import CliRunner

from extension.cli.plugin import install
from extension.plugin.install.program import ProgramUnusable, runs_here, usable_program

OURS = version("poolkeeper")


def script(folder: Path, line: str, mode: int = 0o755) -> Path:
    path = folder / "program"
    path.write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
    path.chmod(mode)
    return path


def test_a_program_that_answers_with_this_version_is_taken_by_its_whole_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = script(tmp_path, f"echo poolkeeper {OURS}")
    monkeypatch.chdir(tmp_path)
    assert usable_program(Path("program"), OURS) == program


@pytest.mark.parametrize(
    ("line", "mode", "sentence"),
    [
        (None, 0, "does not exist"),
        (f"echo poolkeeper {OURS}", 0o644, "is not executable"),
        ("echo poolkeeper 0.0.1", 0o755, "answers 'poolkeeper 0.0.1' to --version"),
        ("echo something else", 0o755, "answers 'something else' to --version"),
        (":", 0o755, f"answers nothing to --version. It has to answer 'poolkeeper {OURS}': install"),
        ("exit 3", 0o755, f"ends with status 3 instead of an answer to --version. It has to answer 'poolkeeper {OURS}"),
    ],
    ids=["missing", "not executable", "another version", "another program", "silent", "broken"],
)
@pytest.mark.usefixtures("built")
def test_a_program_that_the_gateway_could_not_use_is_refused_and_nothing_is_written(
    gateway: Path, tmp_path: Path, line: str | None, mode: int, sentence: str
) -> None:
    program = tmp_path / "program" if line is None else script(tmp_path, line, mode)
    runner = CliRunner(env={"POOLKEEPER_MANAGEMENT_KEY": "k"})

    result = runner.invoke(install, ["--gateway-dir", str(gateway), "--program", str(program)])

    output = " ".join(line.strip() for line in result.output.splitlines())  # wrapped, by the length of the path
    assert (result.exit_code, sentence in output, str(program) in output) == (2, True, True), output
    assert [path.name for path in gateway.iterdir()] == ["config.yaml"]
    assert (gateway / "config.yaml").read_text(encoding="utf-8") == "port: 1\n"


def test_a_program_that_hangs_and_one_that_cannot_be_started_are_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("extension.plugin.install.program._SECONDS", 1.0)
    program = script(tmp_path, "exec sleep 60")
    with pytest.raises(ProgramUnusable, match=r"does not answer to --version within 1 s\. It has to answer"):
        usable_program(program, OURS)
    program.write_bytes(b"\x7fELF no program")
    with pytest.raises(ProgramUnusable, match=r"cannot be started \(Exec format error\)\. It has to answer"):
        usable_program(program, OURS)


@pytest.mark.parametrize(
    ("folder", "server", "here"),
    [
        (Path("/gateway"), None, True),
        (Path("/gateway"), "https://gateway.example", True),
        (None, "http://127.0.0.1:8317", True),
        (None, "http://localhost:8317", True),
        (None, "https://gateway.example", False),
    ],
)
def test_the_program_of_a_gateway_on_another_machine_is_not_looked_for_here(
    folder: Path | None, server: str, *, here: bool
) -> None:
    assert runs_here(folder, server) is here
