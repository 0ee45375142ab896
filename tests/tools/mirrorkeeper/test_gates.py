from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.repository.tracked import ROOT
from tests.tools.mirrorkeeper.repositories import WHO, Fork
from tools.mirrorkeeper.commands.group import build_cli
from tools.mirrorkeeper.findings import Report
from tools.mirrorkeeper.gates import GATES, Finish, Gate, run_gates
from tools.mirrorkeeper.git.command import Git
from tools.mirrorkeeper.project import Project

pytestmark = pytest.mark.slow

COPIED = ("extension", "adapter", "tools", "mirror", "patches", ".importlinter", ".gitattributes")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """This project, committed in a repository of its own."""
    folder = tmp_path_factory.mktemp("gates") / "project"
    folder.mkdir()
    for name in COPIED:
        place = ROOT / name
        if place.is_dir():
            shutil.copytree(place, folder / name, ignore=shutil.ignore_patterns("__pycache__"), symlinks=True)
        elif place.exists():
            shutil.copy(place, folder / name)
    (folder / "patches").mkdir(exist_ok=True)
    git = Git(folder)
    git.run("init", "--quiet", "--initial-branch=main", ".")
    git.run("add", "--all", "--force", ".")
    git.run("commit", "--quiet", "--message=begin", environment=WHO)
    return folder


def gates(folder: Path, *arguments: str, **environment: str) -> Result:
    return CliRunner(env={"GITHUB_ACTIONS": None, **environment}).invoke(
        build_cli(), ["-C", str(folder), "gates", *arguments]
    )


def codes(folder: Path, *selected: str) -> list[tuple[str, str]]:
    report = run_gates(Project.at(folder), selected)
    assert report.unchecked == ()
    return [(one.code, one.shown_path) for one in report.findings if one.code != "CON014"]


def test_all_gates_pass_in_their_order(whole: Path) -> None:
    result = gates(whole, "--output-format", "json")

    assert result.exit_code == 0, result.output
    names = [check["name"] for check in json.loads(result.stdout)["checks"]]
    assert names == ["mirror check", "origin", "patches", "entry check", "boundary", "contract"]


SELECTED = ("--select", "mirror", "--select", "origin", "--select", "patches", "--select", "entry")


@pytest.mark.timeout(180)  # all gates twice, beside other tests
@pytest.mark.parametrize(
    "selected", [pytest.param(SELECTED, id="reduced"), pytest.param((), id="all", marks=pytest.mark.soak)]
)
def test_the_json_is_the_same_twice(whole: Path, selected: tuple[str, ...]) -> None:
    first, second = (gates(whole, "--output-format", "json", *selected) for _ in range(2))

    assert first.exit_code == 0, first.output
    assert first.stdout_bytes == second.stdout_bytes


def test_one_gate_can_be_selected(whole: Path) -> None:
    result = gates(whole, "--select", "entry", "--select", "patches")

    assert [line.split(":")[0] for line in result.stdout.splitlines()] == ["patches", "entry check", "gates"]


FAULTS = [
    ("mirror/gateway/README.md", "\nedited\n", "MIR001"),
    ("patches/stray.patch", "diff\n", "PAT002"),
    ("extension/_generated_entry.py", "# edited\n", "GEN001"),
    ("extension/api/stray.py", "import gateway\n", "IMP001"),
    ("adapter/fake/stray.py", "P = '/v0/management/x'\n", "CON012"),
]
"""A fault for each gate but `origin`, the text that is written and the code of its finding."""


def test_a_fault_for_each_gate_is_exactly_one_finding(whole: Path) -> None:
    before = {whole / where: (whole / where).read_bytes() for where, _, _ in FAULTS if (whole / where).exists()}
    try:
        for where, text, _ in FAULTS:
            path = whole / where
            path.write_bytes(before.get(path, b"") + text.encode())
        assert sorted(codes(whole)) == sorted((code, where) for where, _, code in FAULTS)
        assert len(FAULTS) == len(GATES) - 1
    finally:
        for where, _, _ in FAULTS:
            (whole / where).unlink()
        for path, content in before.items():
            path.write_bytes(content)


SYNTAX, ENCODING = b"x = 1\ndef (\n", b'x = 1\ny = "\xff"\n'


@pytest.mark.parametrize(
    ("second_core", "broken"),
    [
        pytest.param(True, SYNTAX, id="two cores, syntax"),
        pytest.param(False, ENCODING, id="one core, encoding"),
        pytest.param(True, ENCODING, id="two cores, encoding", marks=pytest.mark.soak),
        pytest.param(False, SYNTAX, id="one core, syntax", marks=pytest.mark.soak),
    ],
)
def test_code_is_judged_alike_with_and_without_a_second_core(
    whole: Path, monkeypatch: pytest.MonkeyPatch, second_core: bool, broken: bytes
) -> None:
    monkeypatch.setattr("tools.mirrorkeeper.contract.check.has_second_core", lambda: second_core)
    planted = whole / "extension/planted.py"
    try:
        planted.write_text('ADDRESS = "/v0/management/config"\n', encoding="utf-8")
        assert codes(whole, "contract") == [("CON012", "extension/planted.py")]
        planted.write_bytes(broken)
        beside = 'ADDRESS = "/v0/management/config"\n'
        (whole / "extension/planted_too.py").write_text(beside, encoding="utf-8")
        found = run_gates(Project.at(whole), ("contract",))
        told = [(one.code, one.shown_path, one.line) for one in found.findings if one.code != "CON014"]
        assert told == [("IMP013", "extension/planted.py", 2), ("CON012", "extension/planted_too.py", 1)]
        assert (found.status, found.unchecked) == (1, ())
    finally:
        planted.unlink(missing_ok=True)
        (whole / "extension/planted_too.py").unlink(missing_ok=True)


def test_a_gate_that_cannot_run_does_not_keep_the_others_from_running(whole: Path) -> None:
    lock = whole / "mirror/upstream.lock"
    before = lock.read_bytes()
    lock.unlink()
    try:
        report = run_gates(Project.at(whole), ("mirror", "boundary"))
    finally:
        lock.write_bytes(before)

    assert report.status == 2
    assert [check.name for check in report.checks] == ["boundary"]
    assert "upstream.lock is not there" in report.unchecked[0]


def test_a_gate_whose_library_is_missing_does_not_keep_the_others_from_running(
    whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(_project: Project, _fetched: object) -> Finish:
        raise ModuleNotFoundError("No module named 'tree_sitter'", name="tree_sitter")

    monkeypatch.setitem(GATES, "entry", Gate("in Go", missing))
    report = run_gates(Project.at(whole), ("entry", "patches"))

    assert report.status == 2
    assert [check.name for check in report.checks] == ["patches"]
    (unchecked,) = report.unchecked
    assert unchecked.startswith("entry: the gate needs tree-sitter, which is not installed (pip install tree-sitter,")


@pytest.mark.parametrize("step", ["start", "finish"])
def test_a_gate_that_cannot_read_something_does_not_keep_the_others_from_running(
    fork: Fork, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def refused() -> Report:
        raise PermissionError(13, "Permission denied", "/here/mirror/a.txt")

    def start(_project: Project, _fetched: object) -> Finish:
        if step == "start":
            refused()
        return refused

    monkeypatch.setitem(GATES, "mirror", Gate("unreadable", start))
    result = gates(fork.root)

    assert result.exit_code == 2
    assert "patches: " in result.stdout
    text = "mirror: /here/mirror/a.txt cannot be read: Permission denied (make it readable for this user"
    assert text in result.output


def test_tables_of_the_contract_that_are_not_valid_are_a_finding(whole: Path) -> None:
    tables = whole / "adapter/contract/expectations.py"
    before = tables.read_bytes()
    try:
        for broken_part, line in ((b"x = (\n)]\n", 2), (b"\n\xff\n", 2)):
            tables.write_bytes(broken_part)
            report = run_gates(Project.at(whole), ("contract", "patches"))
            found = [(one.code, one.shown_path, one.line) for one in report.findings]
            assert found == [("IMP013", "adapter/contract/expectations.py", line)]
            assert report.status == 2
            assert report.unchecked[0].startswith(
                f"contract: adapter/contract/expectations.py:{line} is not valid Python"
            )
            assert [check.name for check in report.checks] == ["patches"]
        tables.write_text("import sys\nsys.exit(0)\n", encoding="utf-8")
        (told,) = run_gates(Project.at(whole), ("contract",)).unchecked
        assert told.startswith("contract: adapter/contract/expectations.py cannot be read: SystemExit(0)")
    finally:
        tables.write_bytes(before)


def test_on_github_annotations_and_summary_come_by_themselves(whole: Path, tmp_path: Path) -> None:
    stray = whole / "patches/stray.patch"
    stray.write_text("diff\n", encoding="utf-8")
    summary = tmp_path / "summary.md"
    try:
        result = gates(whole, "--select", "patches", GITHUB_ACTIONS="true", GITHUB_STEP_SUMMARY=str(summary))
    finally:
        stray.unlink()

    assert result.exit_code == 1
    assert "patches/stray.patch: PAT002" in result.stdout
    assert result.stderr.startswith("::error file=patches/stray.patch,title=PAT002")
    assert summary.read_text(encoding="utf-8").startswith("### gates: 1 found")


def test_a_project_that_declares_no_boundary_is_not_failed_for_it(fork: Fork) -> None:
    report = run_gates(fork.project)

    assert (report.status, report.unchecked) == (0, ())
    assert [check.name for check in report.checks] == [
        "mirror check",
        "origin",
        "patches",
        "entry",
        "boundary",
        "contract",
    ]
    assert report.checks[4].summary == "passed over: mirror/upstream.toml has no [boundary] table"


def test_a_gate_that_was_asked_for_and_is_not_declared_could_not_be_checked(fork: Fork) -> None:
    report = run_gates(fork.project, ("contract",))

    assert report.status == 2
    assert report.unchecked[0].startswith("contract: mirror/upstream.toml has no [contract] table")
