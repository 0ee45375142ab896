"""Every Python file of the project is judged, wherever it lies and however its name ends."""

from __future__ import annotations

import json
import os
import unicodedata
from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.boundary.test_boundary import FILES, TOML
from tests.tools.mirrorkeeper.repositories import WHO, introduce
from tools.mirrorkeeper.boundary.check import Boundary
from tools.mirrorkeeper.errors import ToolError
from tools.mirrorkeeper.git.command import Git
from tools.mirrorkeeper.project import Project

pytestmark = pytest.mark.slow

IMPORT = "import gateway\n"


@pytest.fixture(params=[True, False], ids=["in git", "without git"])
def project(request: pytest.FixtureRequest, tmp_path: Path) -> Project:
    """A small project with a clean boundary, and no other contracts."""
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace('contracts = ".importlinter"', 'exempt = ["docs"]'), encoding="utf-8")
    if request.param:
        git = Git(tmp_path)
        git.run("init", "--quiet", ".")
        introduce(tmp_path)
        git.run("add", "--all", ".")
        git.run("commit", "--quiet", "--message=begin", environment=WHO)
    return Project.at(tmp_path)


def codes(project: Project) -> list[str]:
    return [one.code for one in Boundary(project).report().findings]


def plant(project: Project, where: str, content: bytes) -> list[str]:
    path = project.root / where
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return codes(project)


@pytest.mark.parametrize(
    "where",
    [
        "x.py",
        "conftest.py",
        "scripts/x.py",
        "tests/test_x.py",
        "new/deep/x.py",
        "adapted.py",
        "x.pyi",
        "x.pyw",
        "x.pth",
        "deploy/site.wsgi",
        "deploy/service.tac",
        "SConstruct",
        "lib/wscript",
    ],
)
def test_a_file_anywhere_in_the_project_is_judged(project: Project, where: str) -> None:
    assert plant(project, where, IMPORT.encode()) == ["IMP001"]


def test_a_script_without_a_suffix_and_a_notebook_are_judged(project: Project) -> None:
    assert plant(project, "bin/run", b"#!/usr/bin/env python3\n" + IMPORT.encode()) == ["IMP001"]
    cells = [{"cell_type": "code", "source": ["%magic\n", IMPORT]}, {"cell_type": "markdown", "source": [IMPORT]}]
    assert plant(project, "x.ipynb", json.dumps({"cells": cells}).encode()) == ["IMP001", "IMP001"]
    assert plant(project, "y.ipy", b"%load_ext magic\n!ls\n" + IMPORT.encode()) == ["IMP001"] * 3


@pytest.mark.parametrize("where", ["docs/x.py", "mirror/gateway/x.py", "x.txt", "bin/run"])
def test_a_file_that_is_exempt_mirrored_or_no_python_is_not_judged(project: Project, where: str) -> None:
    assert plant(project, where, IMPORT.encode()) == []


def test_a_linked_folder_is_judged_and_a_link_into_the_mirror_refused(project: Project, tmp_path: Path) -> None:
    outside = tmp_path.parent / f"{tmp_path.name}-outside"
    outside.mkdir()
    (outside / "x.py").write_text(IMPORT, encoding="utf-8")
    (project.root / "extension/more").symlink_to(outside)
    assert codes(project) == ["IMP001"]
    (project.root / "extension/more").unlink()
    (project.root / "extension/inner").symlink_to("../mirror/gateway/src/gateway")
    (project.root / "extension/one.py").symlink_to("../mirror/gateway/src/gateway/internal/runtime.py")
    assert codes(project) == ["IMP008", "IMP008"]


@pytest.mark.parametrize("target", ["..", "../mirror", "../.."])
def test_a_link_to_a_folder_above_the_mirror_is_refused(project: Project, target: str) -> None:
    (project.root / "extension/root").symlink_to(target)
    assert codes(project) == ["IMP008"]


@pytest.mark.parametrize(
    ("line", "found"),
    [("x = gateway.internal:main", ["IMP002"]), ("x = gateway", ["IMP002"]), ("gateway = ours.plugin", [])],
)
def test_entry_points_of_an_installed_project_are_read(project: Project, line: str, found: list[str]) -> None:
    assert plant(project, "ours.egg-info/entry_points.txt", f"[console_scripts]\n{line}\n".encode()) == found


@pytest.mark.parametrize(
    ("name", "target", "found"),
    [
        ("LICENSE-upstream.txt", "LICENSE", []),
        ("docs.md", "README.md", []),
        ("x.py", "README.md", ["IMP008"]),
        ("README.md", "run.py", ["IMP008"]),
        ("lost", "lost", ["IMP008"]),
    ],
)
def test_a_link_to_a_text_of_the_mirror_is_none(project: Project, name: str, target: str, found: list[str]) -> None:
    for one in ("LICENSE", "README.md", "run.py"):
        (project.root / "mirror/gateway" / one).write_text("x = 1\n", encoding="utf-8")
    (project.root / name).symlink_to(f"mirror/gateway/{target}")

    assert codes(project) == found


@pytest.mark.parametrize(
    "content",
    [
        "import \uff47ateway\n".encode(),
        b"# coding: utf-7\nimport g+AGE-teway\n",
        b"\xef\xbb\xbfimport gateway\n",
        b"import\\\n  gateway\n",
        b"__import__('g\\x61teway')\n",
    ],
    ids=["full-width", "utf-7", "byte order mark", "continued", "escape"],
)
def test_a_source_is_decoded_before_it_is_searched(project: Project, content: bytes) -> None:
    assert unicodedata.normalize("NFKC", "\uff47") == "g"
    assert plant(project, "x.py", content) in (["IMP001"], ["IMP002"])


def test_a_source_in_an_encoding_python_does_not_know_is_a_finding(project: Project) -> None:
    assert plant(project, "x.py", b"# coding: no-such-encoding\n") == ["IMP013"]


@pytest.mark.parametrize(
    "text",
    [
        "import importlib\nimportlib.import_module('.internal', package='gateway')\n",
        "import importlib\nimportlib.import_module('.internal', 'gateway')\n",
        "from importlib import import_module as load\nload('gateway')\n",
        "exec('import gateway')\n",
        "eval(\"__import__('gateway')\")\n",
        "import sys\nsys.modules['gateway']\n",
        "from importlib import resources\nresources.files('gateway')\n",
        "import pkgutil\npkgutil.resolve_name('gateway:__version__')\n",
        "import pydoc\npydoc.locate('gateway.internal')\n",
        "import subprocess, sys\nsubprocess.run([sys.executable, '-m', 'gateway'])\n",
        "import runpy\nrunpy.run_module('gateway')\n",
    ],
)
def test_a_dynamic_import_of_the_package_is_one_finding(project: Project, text: str) -> None:
    assert plant(project, "x.py", text.encode()) == ["IMP002"]


def test_roots_of_an_older_declaration_are_refused_with_the_way_on(project: Project) -> None:
    project.declaration_path.write_text(
        TOML.replace('source = "src"', 'source = "src"\nroots = ["extension"]'), encoding="utf-8"
    )
    with pytest.raises(ToolError, match="no longer read") as caught:
        codes(project)
    assert "`exempt`" in caught.value.advice


@pytest.mark.parametrize("name", ["extension/a_script", "extension/module.py"])
def test_a_pipe_in_the_place_of_a_file_is_named_and_not_waited_for(project: Project, name: str) -> None:
    plant(project, name, b"#!/bin/sh\n")
    if project.prefix is not None:
        project.git.run("add", "--all", ".")
    (project.root / name).unlink()
    os.mkfifo(project.root / name)

    assert codes(project) == ["IMP013"]


@pytest.mark.parametrize("name", ["gateway/__init__.py", "gateway.py"])
def test_a_module_that_is_found_before_the_package_is_a_finding_without_an_entry(project: Project, name: str) -> None:
    assert plant(project, name, b"") == ["GEN007"]


def test_an_importer_that_is_reached_through_a_link_stays_one(project: Project) -> None:
    (project.root / "alias").symlink_to("adapter")
    (project.root / "one.py").symlink_to("adapter/__init__.py")
    assert codes(project) == []

    assert plant(project, "docs/more.py", IMPORT.encode()) == []
    (project.root / "two.py").symlink_to("docs/more.py")
    assert codes(project) == ["IMP001"]


@pytest.mark.parametrize("line", ["import gateway", "cimport gateway.internal", "from gateway.internal cimport x"])
def test_cython_is_judged_by_its_statements(project: Project, line: str) -> None:
    assert plant(project, "extension/fast.pyx", f"cdef int x = 1\n{line}\n# import gateway\n".encode()) == ["IMP001"]


def test_a_file_that_a_flag_hides_is_read_from_the_index(project: Project) -> None:
    if project.prefix is None:
        pytest.skip("needs an index")
    plant(project, "extension/hidden.py", IMPORT.encode())
    project.git.run("add", "extension/hidden.py")
    project.git.run("update-index", "--skip-worktree", "extension/hidden.py")
    (project.root / "extension/hidden.py").unlink()
    assert codes(project) == ["IMP001"]


def test_paths_of_the_declaration_without_effect_are_notes(project: Project) -> None:
    text = project.declaration_path.read_text(encoding="utf-8")
    text = text.replace('exempt = ["docs"]', 'exempt = ["docs", ".", "./x"]').replace(
        '["adapter"]', '["adapter", "gone"]'
    )
    project.declaration_path.write_text(text, encoding="utf-8")
    report = Boundary(project).report()

    assert [one.code for one in report.findings] == ["IMP011"] * 3
    assert report.status == 0
