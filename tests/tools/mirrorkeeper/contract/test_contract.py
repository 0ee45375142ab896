"""Faults planted in a copy of the mirrored gateway, found through the real introspection."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.repository.tracked import ROOT
from tools.mirrorkeeper.contract.check import Contract
from tools.mirrorkeeper.contract.comparison import contract_findings
from tools.mirrorkeeper.contract.expectations import read_expectations
from tools.mirrorkeeper.contract.pending import parse_pending
from tools.mirrorkeeper.contract.surface import parse_surface
from tools.mirrorkeeper.errors import ToolError
from tools.mirrorkeeper.findings import Finding
from tools.mirrorkeeper.project import Project
from tools.mirrorkeeper.system.process import PythonProcess

pytestmark = pytest.mark.slow

INSIDE = "src/gateway/internal"
APPLICATION = f"{INSIDE}/management/application.py"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the mirrored gateway."""
    folder = tmp_path / "gateway"
    shutil.copytree(ROOT / "mirror/gateway", folder, ignore=shutil.ignore_patterns("__pycache__", "tests"))
    return folder


def edit(tree: Path, where: str, old: str, new: str) -> None:
    path = tree / where
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} is not in {where} exactly once"
    path.write_text(text.replace(old, new), encoding="utf-8")


def errors(tree: Path, *arguments: str) -> list[Finding]:
    """What the contract finds in a tree, notes left out."""
    command = ["-P", "-m", "adapter.embedded.introspect", *arguments]
    answer = PythonProcess(command, ROOT, [ROOT, tree / "src"]).answer("introspection", "")
    project = Project.at(ROOT)
    pending = parse_pending((ROOT / "adapter/contract/pending.toml").read_text(encoding="utf-8"), "pending")
    tables = read_expectations(project, "adapter/contract/expectations.py")
    found = contract_findings(parse_surface(answer, "introspection"), tables, "tree", pending, "pending")
    return [one for one in found if one.code != "CON014"]


def test_the_mirrored_gateway_keeps_the_contract_as_far_as_it_is_not_awaited() -> None:
    report = Contract(Project.at(ROOT)).report()

    assert [one for one in report.findings if one.code != "CON014"] == []
    assert report.checks[0].summary.startswith("12 endpoints and 5 keys held against ")
    assert report.checks[0].summary.endswith("; 11 paths of our own")


def test_a_removed_endpoint_is_found(tree: Path) -> None:
    edit(tree, f"{INSIDE}/management/auth_files.py", '/auth-files/status"', '/auth-files/state"')

    (finding,) = errors(tree)
    assert finding.code == "CON004"
    assert finding.message.startswith("PATCH /v0/management/auth-files/status is gone")
    assert "beside it: PATCH /v0/management/auth-files/state" in finding.details


def test_a_changed_method_is_found(tree: Path) -> None:
    edit(tree, f"{INSIDE}/management/auth_files.py", 'self.status, ["PATCH"]', 'self.status, ["PUT"]')

    (finding,) = errors(tree)
    assert finding.code == "CON005"
    assert "PATCH /v0/management/auth-files/status is gone" in finding.message
    assert "answers to PUT" in finding.message


def test_a_renamed_key_is_found(tree: Path) -> None:
    edit(tree, f"{INSIDE}/configuration/loading.py", 'place.at("secret-key")', 'place.at("secret")')

    assert {one.code for one in errors(tree)} == {"CON003", "CON006"}


def test_another_renamed_key_is_exactly_one_finding(tree: Path) -> None:
    edit(tree, f"{INSIDE}/configuration/loading.py", 'place.at("allow-remote")', 'place.at("remote")')

    (finding,) = errors(tree)
    assert finding.code == "CON006"
    assert "remote-management.allow-remote is gone" in finding.message
    assert "there is: remote-management.remote" in finding.details


def test_without_a_secret_there_are_no_management_routes_and_the_reason_is_named() -> None:
    (finding,) = errors(ROOT / "mirror/gateway", "--no-secret")

    assert finding.code == "CON003"


def test_another_condition_for_management_routes_is_found(tree: Path) -> None:
    edit(
        tree,
        f"{INSIDE}/operations/admission.py",
        "    return rules(runtime).available\n",
        "    return not runtime.text\n",
    )

    assert [one.code for one in errors(tree)] == ["CON003"]


def test_routes_that_are_added_only_later_were_captured_too_early(tree: Path) -> None:
    edit(tree, APPLICATION, "        *public_routes(),\n", "")

    assert [one.code for one in errors(tree)] == ["CON002"]


def test_an_application_that_hides_its_routes_is_a_failed_capture(tree: Path) -> None:
    edit(tree, APPLICATION, "    return application\n", "    return application.__call__\n")

    assert [one.code for one in errors(tree)] == ["CON001"]


def test_a_tree_that_does_not_start_is_not_judged(tree: Path) -> None:
    edit(tree, APPLICATION, "def build_application(", "def make_application(")

    with pytest.raises(ToolError, match="build_application"):
        Contract(Project.at(ROOT), tree).report()


def test_a_folder_without_source_is_told_before_anything_runs(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="is not a folder"):
        Contract(Project.at(ROOT), tmp_path)
