"""A file that is nested without end, or larger than any source, is told by its name, and keeps nothing else quiet."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.tools.mirrorkeeper.boundary.test_boundary import FILES
from tools.mirrorkeeper.boundary.check import Boundary
from tools.mirrorkeeper.commands.group import build_cli
from tools.mirrorkeeper.errors import NOT_CHECKED, ToolError
from tools.mirrorkeeper.project import Project

pytestmark = pytest.mark.slow

DEEP = {
    "terms": "import gateway\nx = " + "+".join(['"gateway"'] * 20_000),
    "signs": "x = " + "-" * 100_000 + "1  # import gateway",
    "brackets": "x = " + "(" * 5_000 + '"import gateway"' + ")" * 5_000,
    "attributes": "import gateway\nx = gateway" + ".a" * 20_000,
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
def test_a_file_that_is_nested_without_end_is_an_error_of_that_file(project: Project, text: str) -> None:
    (project.root / "deep.py").write_text(text, encoding="utf-8")

    with pytest.raises(ToolError, match=r"deep\.py is not valid Python"):
        Boundary(project).report()


@pytest.mark.parametrize("form", ["text", "json", "sarif", "junit", "markdown", "github"])
def test_the_other_gates_are_reported_beside_it(project: Project, form: str) -> None:
    (project.root / "deep.py").write_text(DEEP["terms"], encoding="utf-8")

    arguments = ["-C", str(project.root), "gates", "--output-format", form]
    result = CliRunner(env={"GITHUB_ACTIONS": None}).invoke(build_cli(), arguments)

    assert result.exit_code == NOT_CHECKED
    assert "internal error" not in result.output
    assert "deep.py is not valid Python" in result.output
    if form == "json":
        assert any(one["name"] == "contract" for one in json.loads(result.stdout)["checks"])
