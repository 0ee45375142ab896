"""Errors that no gate expects: each is the result of its gate, and the others run."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from tests.tools.mirrorkeeper.repositories import Fork
from tools.mirrorkeeper.cli import main
from tools.mirrorkeeper.commands.group import build_cli
from tools.mirrorkeeper.errors import ToolError
from tools.mirrorkeeper.findings import Report
from tools.mirrorkeeper.gates import GATES, Finish, Gate, run_gates
from tools.mirrorkeeper.git.command import Git
from tools.mirrorkeeper.project import Project
from tools.mirrorkeeper.report import FORMATS
from tools.mirrorkeeper.system.unexpected import TRACEBACK
from tools.mirrorkeeper.tool_name import TOOL

pytestmark = pytest.mark.slow


def gates(fork: Fork, *arguments: str, **environment: str) -> Result:
    return CliRunner(env={"GITHUB_ACTIONS": None, **environment}).invoke(
        build_cli(), ["-C", str(fork.root), "gates", *arguments]
    )


def broken(monkeypatch: pytest.MonkeyPatch, step: str, error: BaseException) -> None:
    """Let the gate `patches` meet an error that no part of it expects."""

    def raising() -> Report:
        raise error

    def start(_project: Project, _fetched: object) -> Finish:
        if step == "start":
            raising()
        return raising

    monkeypatch.setitem(GATES, "patches", Gate("broken", start))


@pytest.mark.parametrize("step", ["start", "finish"])
@pytest.mark.parametrize(
    ("error", "cause"),
    [
        (ValueError("embedded null\nbyte"), "ValueError: embedded null byte"),
        (AssertionError(), "AssertionError"),
        (ModuleNotFoundError("No module named 'ours'", name="ours"), "ModuleNotFoundError: No module named 'ours'"),
        (SystemExit(0), "SystemExit: 0"),
    ],
)
def test_an_error_that_no_gate_expects_is_the_result_of_that_gate_alone(
    fork: Fork, monkeypatch: pytest.MonkeyPatch, step: str, error: BaseException, cause: str
) -> None:
    broken(monkeypatch, step, error)
    (fork.mirror / "README.md").write_bytes(b"changed\n")

    result = gates(fork, "--output-format", "json")
    told = json.loads(result.stdout)
    text = (
        f"patches: internal error: {cause} (report it with the output of: {TRACEBACK}=1 {TOOL} gates --select patches)"
    )
    assert (result.exit_code, told["status"], told["unchecked"]) == (2, 2, [text])
    assert [one["code"] for one in told["findings"]] == ["MIR001"]
    assert [one["name"] for one in told["checks"]] == ["mirror check", "origin", "entry", "boundary", "contract"]
    assert "Traceback" not in result.output


@pytest.mark.parametrize("form", sorted(FORMATS))
def test_every_report_names_the_cause_of_an_error_that_no_gate_expects(
    fork: Fork, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    broken(monkeypatch, "finish", ValueError("<embedded> null byte"))

    result = gates(fork, "--output-format", form, **{TRACEBACK: "1"})
    assert result.exit_code == 2
    assert "null byte" in result.stdout
    assert "mirror check" in result.stdout or form in ("github", "sarif")  # which hold findings alone
    assert "Traceback (most recent call last)" in result.stderr


def test_an_interruption_ends_all_gates(fork: Fork, monkeypatch: pytest.MonkeyPatch) -> None:
    broken(monkeypatch, "finish", KeyboardInterrupt())

    with pytest.raises(KeyboardInterrupt):
        run_gates(fork.project)


@pytest.mark.parametrize("damage", ["HEAD", "objects"])
def test_a_damaged_repository_is_no_project_outside_of_git(
    fork: Fork, capfd: pytest.CaptureFixture[str], damage: str
) -> None:
    place = fork.root / ".git" / damage
    if place.is_dir():
        place.rename(place.with_name("gone"))
    else:
        place.write_bytes(b"nonsense\n")

    for command in (("gates", "--select", "mirror"), ("mirror", "verify"), ("mirror", "verify", "--bytes")):
        capfd.readouterr()
        assert main(["-C", str(fork.root), *command]) == 2
        said = "".join(capfd.readouterr())
        assert "/.git for a repository: HEAD or another part is damaged" in said
        assert "restore its HEAD" in said


def test_a_damaged_repository_within_another_is_not_taken_for_a_folder_of_that(fork: Fork) -> None:
    Git(fork.root.parent).run("init", "--quiet", ".")
    (fork.root / ".git/HEAD").write_bytes(b"nonsense\n")

    with pytest.raises(ToolError, match="is damaged"):
        _ = Project.at(fork.root).prefix
