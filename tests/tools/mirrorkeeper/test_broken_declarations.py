"""Broken declarations: every format is a valid report with the error, and gates that can be run are run."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.tools.mirrorkeeper.repositories import Fork
from tools.mirrorkeeper.cli import main
from tools.mirrorkeeper.gates import run_all_gates
from tools.mirrorkeeper.project import Project
from tools.mirrorkeeper.system.signals import EndedError

pytestmark = pytest.mark.slow


def told(form: str, output: str) -> list[str]:
    """The texts of what could not be checked in a report."""
    if form == "junit":
        return [one.attrib["message"] for one in ET.fromstring(output).iter("error")]  # noqa: S314 - our own report
    data = json.loads(output)
    if form == "json":
        assert data["status"] == 2
        return list(data["unchecked"])
    (run,) = data["runs"]
    return [one["message"]["text"] for one in run["invocations"][0]["toolExecutionNotifications"]]


@pytest.mark.parametrize("form", ["json", "sarif", "junit"])
@pytest.mark.parametrize("command", [("gates",), ("mirror", "verify"), ("mirror", "doctor"), ("boundary",)])
def test_a_broken_declaration_is_told_in_the_report(
    fork: Fork, capfd: pytest.CaptureFixture[str], form: str, command: tuple[str, ...]
) -> None:
    fork.project.declaration_path.write_text("schema = 1\nurl = [\n", encoding="utf-8")
    capfd.readouterr()

    assert main(["-C", str(fork.root), *command, "--output-format", form]) == 2
    (text,) = told(form, capfd.readouterr().out)
    assert text.startswith("mirror/upstream.toml is not valid TOML")


@pytest.mark.parametrize("command", [("gates",), ("mirror", "verify")])
def test_a_broken_declaration_is_told_in_annotations_and_markdown(
    fork: Fork, capfd: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    fork.project.declaration_path.write_text("schema = 1\nurl = [\n", encoding="utf-8")
    capfd.readouterr()
    begin = {"github": "::error title=", "markdown": f"### {' '.join(command)}: could not check everything\n"}

    for form, wanted in begin.items():
        assert main(["-C", str(fork.root), *command, "--output-format", form]) == 2
        output = capfd.readouterr().out
        assert output.startswith(wanted)
        assert "is not valid TOML" in output


def test_a_github_job_gets_annotation_and_summary_of_a_broken_declaration(
    fork: Fork, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fork.project.declaration_path.write_text("schema = 1\nurl = [\n", encoding="utf-8")
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    capfd.readouterr()

    assert main(["-C", str(fork.root), "gates"]) == 2
    output, errors = capfd.readouterr()
    assert (output, errors.count("::error title=gates")) == ("", 1)
    assert "is not valid TOML" in (tmp_path / "summary.md").read_text(encoding="utf-8")


def test_gates_that_a_signal_ends_leave_a_report_that_says_so(
    fork: Fork, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def end(*_: object) -> None:
        raise EndedError(signal.SIGTERM)

    monkeypatch.setattr("tools.mirrorkeeper.commands.gates.run_all_gates", end)
    capfd.readouterr()

    assert main(["-C", str(fork.root), "gates", "--output-format", "json"]) == 143
    (text,) = told("json", capfd.readouterr().out)
    assert text.startswith("ended by SIGTERM")


def test_a_failed_synchronization_describes_no_change(fork: Fork, capfd: pytest.CaptureFixture[str]) -> None:
    capfd.readouterr()

    assert main(["-C", str(fork.root), "mirror", "sync", "v9", "--output-format", "markdown"]) == 2
    assert capfd.readouterr().out == ""


@pytest.mark.parametrize("number", ["1" * 5_000, "0x" + "f" * 5_000, "9223372036854775808"])
def test_a_number_without_an_end_is_named(fork: Fork, capfd: pytest.CaptureFixture[str], number: str) -> None:
    tables = f'[contract]\nexpectations = "a.py"\noffered = "a"\nendpoints = {number}\nown = 0\nkeys = 0\n'
    with fork.project.declaration_path.open("a", encoding="utf-8") as stream:
        stream.write(tables)
    capfd.readouterr()

    assert main(["-C", str(fork.root), "gates", "--output-format", "json"]) == 2
    output = capfd.readouterr().out
    assert "too many digits" in output or "`endpoints` is larger than any number of TOML" in output
    assert "internal error" not in output


def test_a_report_for_people_stays_on_standard_error(fork: Fork, capfd: pytest.CaptureFixture[str]) -> None:
    fork.project.declaration_path.unlink()
    capfd.readouterr()

    assert main(["-C", str(fork.root), "gates"]) == 2
    assert capfd.readouterr().out == ""


@pytest.mark.parametrize("table", ["contract", "entry", "boundary"])
def test_a_broken_table_of_one_gate_keeps_only_that_gate_from_running(fork: Fork, table: str) -> None:
    with fork.project.declaration_path.open("a", encoding="utf-8") as stream:
        stream.write(f"[{table}]\nnonsense = 5\n")
    (fork.mirror / "README.md").write_bytes(b"changed\n")

    report = run_all_gates(Project.at(fork.root))
    assert report.status == 2
    assert [one.partition(f": mirror/upstream.toml [{table}]: ")[0] for one in report.unchecked] == [table]
    assert "MIR001" in {one.code for one in report.findings}
    assert {"mirror check", "patches"} <= {one.name for one in report.checks}


@pytest.mark.parametrize("text", [None, "schema = 1\nurl = [\n"])
def test_another_declaration_that_cannot_be_read_keeps_only_its_own_gates_from_running(
    fork: Fork, text: str | None
) -> None:
    path = fork.project.declaration_path
    path.write_text(f'others = ["mirror/b.toml"]\n{path.read_text(encoding="utf-8")}', encoding="utf-8")
    if text is not None:
        (fork.root / "mirror/b.toml").write_text(text, encoding="utf-8")
    (fork.mirror / "README.md").write_bytes(b"changed\n")

    report = run_all_gates(Project.at(fork.root), ("mirror", "patches"))
    (unread,) = report.unchecked
    assert unread.startswith("mirror/b.toml is not ")
    assert "MIR001" in {one.code for one in report.findings}
    assert [one.name for one in report.checks] == [
        "mirror/upstream.toml: mirror check",
        "mirror/upstream.toml: patches",
    ]
