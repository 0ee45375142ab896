from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.repository.tracked import ROOT
from tools.mirrorkeeper.boundary.check import Boundary
from tools.mirrorkeeper.errors import NOT_CHECKED, ToolError
from tools.mirrorkeeper.findings import Finding
from tools.mirrorkeeper.project import Project
from tools.mirrorkeeper.system.files import DiskFiles

TOML = """
schema = 1
url = "mirror/upstream"
track = "v*"
path = "mirror/gateway"

[boundary]
package = "gateway"
source = "src"
importers = ["adapter"]
generated = ["extension/_generated_entry.py"]
symbols = "adapter/names.toml"
contracts = ".importlinter"
"""
FILES = {
    "mirror/upstream.toml": TOML,
    "mirror/gateway/src/gateway/__init__.py": "",
    "mirror/gateway/src/gateway/internal/__init__.py": "",
    "mirror/gateway/src/gateway/internal/runtime.py": "class Runtime: ...\n",
    "adapter/__init__.py": "from gateway.internal.runtime import Runtime\n",
    "adapter/names.toml": '["gateway.internal.runtime"]\nRuntime = "the live gateway"\n',
    "extension/__init__.py": "",
    "extension/page.py": '"""Shows what gateway.internal knows."""\n',
    "extension/_generated_entry.py": "from gateway.internal import runtime\n\nruntime.Runtime()\n",
    "tools/__init__.py": "",
}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A small project with a clean boundary and the contracts of this one."""
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    lines = (ROOT / ".importlinter").read_text(encoding="utf-8").split("[importlinter:contract:implementations]")[0]
    (tmp_path / ".importlinter").write_text(lines, encoding="utf-8")
    return Project.at(tmp_path)


def plant(project: Project, where: str, text: str) -> list[tuple[str, str, int]]:
    (project.root / where).write_text(text, encoding="utf-8")
    return [(one.code, one.shown_path, one.line) for one in findings(project)]


def findings(project: Project) -> tuple[Finding, ...]:
    return Boundary(project).report().findings


def test_a_clean_project_has_no_finding(project: Project) -> None:
    report = Boundary(project).report()

    assert report.findings == ()
    assert report.checks[0].summary == ("5 files compared with the rules and .importlinter; 1 names of gateway used")


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("import gateway\n", "IMP001", 1),
        ("def late() -> None:\n    from gateway.internal import runtime\n", "IMP001", 2),
        ("import importlib\n\nimportlib.import_module('gateway.internal')\n", "IMP002", 3),
        ("name = 'x'\n__import__(name)\n", "IMP002", 2),
        ("WHERE = 'gateway.internal.runtime.Runtime'\n", "IMP003", 1),
        ("from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    import gateway\n", "IMP004", 4),
    ],
    ids=["static", "in a function", "dynamic", "computed", "in a text", "for types only"],
)
def test_a_planted_import_is_exactly_one_finding(project: Project, text: str, code: str, line: int) -> None:
    assert plant(project, "extension/planted.py", text) == [(code, "extension/planted.py", line)]


def test_a_text_that_names_nothing_of_the_package_is_fine(project: Project) -> None:
    assert plant(project, "extension/planted.py", "WHERE = 'gateway.name'\n") == []


def test_an_import_against_the_direction_is_found_by_the_contracts(project: Project) -> None:
    assert plant(project, "adapter/planted.py", "import os\nimport extension\n") == [
        ("IMP010", "adapter/planted.py", 2)
    ]


@pytest.mark.parametrize(
    "text",
    [
        "import_module('extension.page')",
        "import_module('extension.page:Application')",
        "WHERE = f'extension.page.{name}'",
        "WHERE = 'extension.' + 'page'",
        "APPLICATION = 'extension.page.application'",
    ],
)
def test_a_module_named_in_a_text_counts_as_an_import(project: Project, text: str) -> None:
    assert ("IMP010", "adapter/planted.py", 2) in plant(project, "adapter/planted.py", f"from x import *\n{text}\n")


def test_a_text_that_names_no_module_and_one_against_no_contract_are_fine(project: Project) -> None:
    names = "'extension.nowhere', 'extension', 'see extension.page', 'adapter.planted'"

    assert plant(project, "adapter/planted.py", f"NAMES = {names}\n") == []
    assert plant(project, "extension/planted.py", "NAMES = 'adapter.planted'\n") == []


def test_a_cycle_between_two_packages_is_found_with_its_imports(project: Project) -> None:
    with (project.root / ".importlinter").open("a", encoding="utf-8") as file:
        file.write(
            "[importlinter:contract:cycles]\nname = No cycles\ntype = acyclic_siblings\nancestors =\n    tools\n"
        )
    for name, other in (("red", "blue"), ("blue", "red")):
        (project.root / f"tools/{name}").mkdir()
        (project.root / f"tools/{name}/__init__.py").touch()
        (project.root / f"tools/{name}/a.py").write_text(f"import tools.{other}\n", encoding="utf-8")

    (finding,) = findings(project)
    assert (finding.code, finding.shown_path) in {("IMP010", "tools/red/a.py"), ("IMP010", "tools/blue/a.py")}
    assert "which breaks the contract 'No cycles'" in finding.message


def test_the_adapter_may_not_hide_an_import_behind_a_computed_name(project: Project) -> None:
    assert plant(project, "adapter/planted.py", "import importlib\nimportlib.import_module(str(1))\n") == [
        ("IMP002", "adapter/planted.py", 2)
    ]


def test_a_new_name_of_the_gateway_needs_a_reason(project: Project) -> None:
    text = "from gateway.internal.runtime import Other\n"

    assert plant(project, "adapter/planted.py", text) == [("IMP005", "adapter/planted.py", 1)]


def test_pruning_shortens_the_list_and_keeps_the_reasons(project: Project) -> None:
    listed = project.root / "adapter/names.toml"
    listed.write_text(listed.read_text(encoding="utf-8") + 'gone = "was needed"\n', encoding="utf-8")
    assert [one.code for one in findings(project)] == ["IMP006"]

    assert Boundary(project).prune(DiskFiles()).findings == ()
    assert "gone" not in listed.read_text(encoding="utf-8")
    assert 'Runtime = "the live gateway"' in listed.read_text(encoding="utf-8")


def test_a_file_that_is_not_python_is_a_finding_and_keeps_contracts_from_being_checked(project: Project) -> None:
    (project.root / "extension/planted.py").write_text("import gateway as\n", encoding="utf-8")

    report = Boundary(project).report()
    (found,) = report.findings

    assert (found.code, found.shown_path, found.line) == ("IMP013", "extension/planted.py", 1)
    assert found.message == "is not valid Python: invalid syntax"
    assert report.unchecked[0].startswith("boundary: import-linter's contracts: ")
    assert report.status == NOT_CHECKED


def test_contracts_that_cannot_be_checked_are_told_and_not_passed(project: Project) -> None:
    (project.root / ".importlinter").write_text("[importlinter]\nroot_packages = nobody\n", encoding="utf-8")

    report = Boundary(project).report()

    assert "import-linter" in report.unchecked[0]
    assert report.status == NOT_CHECKED
    assert ".importlinter" not in report.checks[0].summary


def test_without_the_mirrored_package_nothing_is_judged(project: Project) -> None:
    shutil.rmtree(project.root / "mirror/gateway")

    with pytest.raises(ToolError, match="has no package gateway"):
        Boundary(project)


def test_a_project_without_a_boundary_says_so(project: Project) -> None:
    project.declaration_path.write_text(TOML.partition("[boundary]")[0], encoding="utf-8")

    with pytest.raises(ToolError, match=r"no \[boundary\] table"):
        Boundary(project)
