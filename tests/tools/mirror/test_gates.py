"""All gates in one report: formats, exit status, and a gate that cannot run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.tools.mirror.checked_project import change, make_project, write
from tools.mirror.cli import main
from tools.mirror.declaration import read_declaration
from tools.mirror.entry import write_entry
from tools.mirror.findings import CODES, Finding, Report, sort_findings
from tools.mirror.gates import run_gates
from tools.mirror.report import as_github, as_json, as_text

GATES = ("entry", "boundary", "contract")
FINDINGS = sort_findings(
    [
        Finding("MIR001", "b/ä,c.py", "other bytes\x1b[31m", "git restore it", 3, ("- a", "+ 100%")),
        Finding("MIR010", "a.log", "a note"),
        Finding("MIR001", "b/ä,c.py", "other bytes\x1b[31m", "git restore it", 3, ("- a", "+ 100%")),
    ]
)
REPORT = Report("gates", FINDINGS, {"entry": "compared"}, {"contract": "no answer"})


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_entry(make_project(tmp_path))
    return tmp_path


def run(root: Path, *arguments: str) -> int:
    return main(["-C", str(root), *arguments])


def test_text_has_a_line_for_each_finding_and_its_next_step() -> None:
    assert as_text(REPORT).splitlines() == [
        "entry: compared",
        "a.log: MIR010 note: a note",
        "b/ä,c.py:3: MIR001 other bytes\\x1b[31m",
        "    - a",
        "    + 100%",
        "  help: git restore it",
        "could not check: contract: no answer",
        "gates: could not check everything; found 1 problem (1 note)",
    ]


def test_json_has_everything_and_the_same_bytes_each_time() -> None:
    document = json.loads(as_json(REPORT))

    assert (document["status"], len(document["findings"]), document["unchecked"]) == (2, 2, {"contract": "no answer"})
    assert document["findings"][1]["path"] == "b/ä,c.py"
    assert as_json(REPORT) == as_json(
        Report("gates", sort_findings(reversed(FINDINGS)), REPORT.checks, REPORT.unchecked)
    )


def test_github_gets_escaped_annotations_and_the_summary_of_the_job(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, root: Path
) -> None:
    assert as_github(REPORT).splitlines() == [
        (
            "::error file=b/ä%2Cc.py,title=MIR001 modified,line=3::"
            "other bytes\\x1b[31m%0A- a%0A+ 100%25%0Ahelp: git restore it"
        ),
        "::notice file=a.log,title=MIR010 ignored::a note",
        "::error title=contract%3A could not check::no answer",
    ]
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    assert run(root, "entry", "--check", "--output-format", "github") == 0
    assert "entry: clean" in (tmp_path / "summary.md").read_text(encoding="utf-8")


def test_of_many_findings_each_format_shows_some_and_their_number() -> None:
    report = Report.of("x", [Finding("MIR001", f"{number:02}.py", "m") for number in range(25)])

    assert "… and 5 more MIR001" in as_text(report)
    assert as_github(report).splitlines()[-1].endswith("::… and 16 more; the job's summary has all")
    assert len(json.loads(as_json(report))["findings"]) == 25


@pytest.mark.parametrize(
    ("code", "unchecked", "status"), [("MIR010", {}, 0), ("MIR001", {}, 1), ("MIR001", {"contract": "no answer"}, 2)]
)
def test_the_exit_status_follows_the_worst(code: str, unchecked: dict[str, str], status: int) -> None:
    assert Report("x", (Finding(code, "a", "m"),), {}, unchecked).status == status


def test_gates_run_together_and_each_by_itself(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    selected = [word for name in GATES for word in ("--select", name)]
    assert run(root, "gates", *selected) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "gates: clean"
    assert [run(root, name) for name in GATES] == [0, 0, 0]

    write(root, "ours/planted.py", "import guarded\n")
    change(root, "adapter/offered.py", "/healthz", "/health")
    assert run(root, "gates", *selected) == 1
    output = capsys.readouterr().out
    assert "ours/planted.py:1: IMP001 imports guarded" in output
    assert "mirror/gateway: CON002 2 routes" not in output
    assert "mirror/gateway: CON002 3 routes, but no /healthz" in output


def test_a_gate_that_cannot_run_does_not_keep_the_others_from_running(root: Path) -> None:
    write(root, "adapter/tables.py", "1 / 0")
    write(root, "ours/planted.py", "import guarded\n")
    report = run_gates(read_declaration(root), GATES)

    assert list(report.unchecked) == ["contract"]
    assert [finding.code for finding in report.findings] == ["IMP001"]
    assert report.status == 2


def test_a_gate_without_a_table_is_passed_over_unless_it_was_asked_for(root: Path) -> None:
    text = (root / "mirror/upstream.toml").read_text(encoding="utf-8")
    write(root, "mirror/upstream.toml", text.partition("[entry]")[0])
    report = run_gates(read_declaration(root))

    assert [name for name, summary in report.checks.items() if summary.startswith("passed over: ")] == list(GATES)
    assert list(report.unchecked) == ["mirror", "origin"]
    assert list(run_gates(read_declaration(root), ["entry"]).unchecked) == ["entry"]


def test_every_code_has_a_level_and_a_short_title() -> None:
    assert all(level in ("error", "note") and 1 <= len(title.split()) <= 5 for level, title in CODES.values())
