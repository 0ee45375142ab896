"""Imports of the mirrored package outside of its importers, names in use, and import-linter's contracts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirror.checked_project import change, make_project, write
from tools.mirror.boundary import BoundaryCheck
from tools.mirror.declaration import read_declaration
from tools.mirror.errors import ToolError
from tools.mirror.findings import Finding


@pytest.fixture
def linted(tmp_path: Path) -> Path:
    """A project with import-linter's contracts, which take a process."""
    make_project(tmp_path)
    return tmp_path


@pytest.fixture
def root(linted: Path) -> Path:
    """The project without the contracts."""
    change(linted, "mirror/upstream.toml", 'contracts = ".importlinter"', "")
    return linted


def check(root: Path) -> tuple[Finding, ...]:
    with BoundaryCheck(read_declaration(root)) as boundary:
        return boundary.report().findings


FORBIDDEN = {
    "import guarded": "IMP001",
    "import guarded.inner as taken": "IMP001",
    "from guarded import inner": "IMP001",
    "from mirror.gateway.src import guarded": "IMP001",
    "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from guarded import inner": "IMP001",
    "def late():\n    from guarded.inner import x": "IMP001",
    "import importlib\nimportlib.import_module('guarded.inner')": "IMP002",
    "import importlib\nimportlib.import_module('.inner', package='guarded')": "IMP002",
    "from importlib import import_module as im\nim('guarded.inner')": "IMP002",
    "__import__('guarded')": "IMP002",
    "import runpy\nrunpy.run_module('guarded')": "IMP002",
    "import runpy\nrunpy.run_path('mirror/gateway/src/guarded/__main__.py')": "IMP002",
    "import pkgutil\npkgutil.resolve_name('guarded.inner:x')": "IMP002",
}


@pytest.mark.parametrize("text", FORBIDDEN)
@pytest.mark.parametrize("path", ["ours/planted.py", "setup.py"])
def test_a_planted_import_is_found_with_its_line(root: Path, path: str, text: str) -> None:
    write(root, path, f"{text}\n")
    line = text.count("\n") + 1

    assert [(finding.code, finding.path, finding.line) for finding in check(root)] == [(FORBIDDEN[text], path, line)]


@pytest.mark.parametrize(
    "text",
    [
        "# import guarded",
        "guarded = 'guarded'",
        "import guarded_too",
        "from . import guarded",
        "print('guarded.inner')",
    ],
)
def test_what_only_looks_like_an_import_is_none(root: Path, text: str) -> None:
    write(root, "ours/planted.py", f"{text}\n")

    assert check(root) == ()


def test_exempt_and_ignored_files_are_not_judged(root: Path) -> None:
    write(root, "tests/planted.py", "import guarded\n")
    write(root, ".gitignore", "build\n")
    write(root, "build/planted.py", "import guarded\n")

    assert check(root) == ()


def test_a_file_that_is_no_python_is_found(root: Path) -> None:
    write(root, "setup.py", "import guarded as\n")

    assert [finding.code for finding in check(root)] == ["IMP013"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("from guarded.inner import greeting, x", "guarded.inner.x"),
        ("from guarded.inner import greeting\nfrom guarded import inner as i\ni.serve()", "guarded.inner.serve"),
        ("from guarded.inner import greeting\nimport guarded.inner\nguarded.inner.serve()", "guarded.inner.serve"),
    ],
)
def test_a_name_in_use_that_is_not_listed_is_found(root: Path, text: str, name: str) -> None:
    write(root, "adapter/__init__.py", f"{text}\n")

    assert [(finding.code, finding.message.split()[1].strip(",")) for finding in check(root)] == [("IMP005", name)]


def test_a_name_that_is_no_longer_used_or_has_no_reason_is_found(root: Path) -> None:
    write(root, "adapter/names.toml", '["guarded.inner"]\ngreeting = " "\nserve = "gone"\n')

    assert [finding.code for finding in check(root)] == ["IMP006", "IMP007"]


def test_a_project_in_order_has_no_finding(linted: Path) -> None:
    assert check(linted) == ()


@pytest.mark.parametrize(
    "text", ["import ours.hook", "from importlib import import_module\nimport_module('ours.hook')"]
)
def test_a_broken_contract_is_found_at_the_import_that_breaks_it(linted: Path, text: str) -> None:
    write(linted, "adapter/planted.py", f"{text}\n")
    (finding,) = check(linted)

    assert (finding.code, finding.path, finding.line) == ("IMP010", "adapter/planted.py", text.count("\n") + 1)
    assert finding.message == "adapter.planted imports ours.hook, which breaks the contract 'One direction'"


def test_a_chain_of_imports_is_shown(linted: Path) -> None:
    write(linted, "extra/__init__.py", "import ours.hook\n")
    change(linted, ".importlinter", "    adapter\n\n", "    adapter\n    extra\n\n")
    write(linted, "adapter/planted.py", "import extra\n")

    (finding,) = check(linted)
    assert finding.details == ("adapter.planted imports extra", "extra imports ours.hook")


def test_a_module_in_place_of_the_package_is_found(root: Path) -> None:
    write(root, "guarded.py", "")

    assert [finding.code for finding in check(root)] == ["GEN007"]


@pytest.mark.parametrize("text", ["[[", "guarded = 1"])
def test_a_list_that_cannot_be_read_could_not_be_checked(root: Path, text: str) -> None:
    write(root, "adapter/names.toml", text)

    with pytest.raises(ToolError, match=r"adapter/names\.toml"):
        check(root)


def test_contracts_that_cannot_be_read_could_not_be_checked(linted: Path) -> None:
    change(linted, ".importlinter", "type = layers", "type = onion")

    with pytest.raises(ToolError, match="onion"):
        check(linted)
