"""A file nested without end, or larger than any source, is a finding by its name, beside the others."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.tools.mirrorkeeper.boundary.test_boundary import FILES
from tools.mirrorkeeper.boundary.check import Boundary
from tools.mirrorkeeper.commands.group import build_cli
from tools.mirrorkeeper.errors import NOT_CHECKED
from tools.mirrorkeeper.findings import Finding
from tools.mirrorkeeper.modules import modules_of, pages_of, scripts_of
from tools.mirrorkeeper.project import Project

pytestmark = pytest.mark.slow

DEEP = {
    "terms": "import gateway\nx = " + "+".join(['"gateway"'] * 60_000),
    "signs": "x = " + "-" * 100_000 + "1  # import gateway",
    "brackets": "x = " + "(" * 5_000 + '"import gateway"' + ")" * 5_000,
    "attributes": "import gateway\nx = gateway" + ".a" * 60_000,
}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A small project with a clean boundary, and no other contracts."""
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace('contracts = ".importlinter"', ""), encoding="utf-8")
    return Project.at(tmp_path)


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP)
def test_a_file_that_is_nested_without_end_is_a_finding_about_that_file(project: Project, text: str) -> None:
    (project.root / "deep.py").write_text(text, encoding="utf-8")

    (found,) = Boundary(project).report().findings

    assert (found.code, found.shown_path) == ("IMP013", "deep.py")
    assert found.message.startswith("is not valid Python")


@pytest.mark.parametrize("form", ["text", "json", "sarif", "junit", "markdown", "github"])
def test_the_other_gates_are_reported_beside_it(project: Project, form: str) -> None:
    (project.root / "deep.py").write_text(DEEP["terms"], encoding="utf-8")

    arguments = ["-C", str(project.root), "gates", "--output-format", form]
    result = CliRunner(env={"GITHUB_ACTIONS": None}).invoke(build_cli(), arguments)

    assert result.exit_code == NOT_CHECKED  # the project has no lock
    assert "internal error" not in result.output
    assert "deep.py" in result.output
    assert "is not valid Python" in result.output
    if form == "json":
        assert any(one["name"] == "contract" for one in json.loads(result.stdout)["checks"])


@pytest.mark.parametrize("name", ["x.py", "x.ipynb", "x.pth", "x.ipy", "x.yml", "x.sh", "Makefile", "extension/x.py"])
def test_a_file_larger_than_any_source_is_a_finding_at_once(project: Project, name: str) -> None:
    with (project.root / name).open("wb") as file:
        file.truncate(3_000_000_000)

    found = Boundary(project).report().findings

    assert [(one.code, one.shown_path, one.message) for one in found] == [
        ("IMP012", name, "is larger than 16 MB, and was not read")
    ]


def test_modules_of_an_archive_are_counted_as_they_are_unpacked(project: Project) -> None:
    with zipfile.ZipFile(project.root / "x.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("x.py", b"#" * 17_000_000)

    assert [one.code for one in Boundary(project).report().findings] == ["IMP012"]


def test_a_command_late_in_a_long_file_is_found(project: Project) -> None:
    (project.root / "x.yml").write_text("a: b\n" * 400_000 + "run: python -m gateway\n", encoding="utf-8")

    assert [(one.code, one.line) for one in Boundary(project).report().findings] == [("IMP002", 400_001)]


def test_the_contract_names_a_file_that_is_too_large(project: Project) -> None:
    for name in ("x.py", "x.js", "x.html"):
        with (project.root / "extension" / name).open("wb") as file:
            file.truncate(3_000_000_000)
    larger: list[Finding] = []

    read = [list(of(project, ["extension"], larger)) for of in (modules_of, scripts_of, pages_of)]

    assert [len(one) for one in read] == [3, 0, 0]
    assert [one.shown_path for one in larger] == ["extension/x.py", "extension/x.js", "extension/x.html"]
