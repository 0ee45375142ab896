"""Modules of our own that Python finds before the mirrored package: findings, however they are ignored or named."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.entry.sources import SOURCE, entry_fork
from tests.tools.mirrorkeeper.repositories import Fork
from tools.mirrorkeeper.entry.generator import check_entry, write_entry
from tools.mirrorkeeper.system.files import DiskFiles


@pytest.fixture
def fork(tmp_path: Path) -> Fork:
    """A project with a generated entry that is clean."""
    fork = entry_fork(tmp_path, SOURCE)
    assert write_entry(fork.project, DiskFiles()).findings == ()
    return fork


def plant(fork: Fork, name: str, content: bytes = b"print('shadow')\n") -> list[tuple[str, str]]:
    path = fork.root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return [(one.code, one.shown_path) for one in check_entry(fork.project).findings]


@pytest.mark.parametrize(
    "name",
    [
        "pkg/__init__.py",
        "pkg/__init__.cpython-311-x86_64-linux-gnu.so",
        "pkg.py",
        "pkg.pyi",
        "pkg.pyc",
        "pkg.abi3.so",
        "ours/pkg/__init__.py",
        "ours/pkg.py",
    ],
)
def test_what_is_imported_in_place_of_the_mirrored_package_is_a_finding(fork: Fork, name: str) -> None:
    (fork.root / ".gitignore").write_text("pkg*\n", encoding="utf-8")
    found = name.removesuffix(f"/{name.rpartition('/')[2]}") if "/__init__" in name else name

    assert plant(fork, name) == [("GEN007", found)]
    (finding,) = check_entry(fork.project).findings
    assert finding.message == "is imported in place of mirror/gateway/src/pkg"
    assert finding.fix.startswith("rename or remove it")


def test_python_takes_the_shadow_and_not_a_folder_without_init(fork: Fork) -> None:
    mirrored = next(fork.root.glob("**/src/pkg")).parent
    command = [sys.executable, "-m", "ours._generated"]
    environment = os.environ | {"PYTHONPATH": f"{mirrored}{os.pathsep}.", "PYTHONSAFEPATH": ""}
    plant(fork, "pkg/text.py")
    ended = subprocess.run(
        [sys.executable, "-c", "import pkg; print(pkg.__file__)"],
        cwd=fork.root,
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    assert ended.stdout.startswith(str(mirrored))
    plant(fork, "pkg/__init__.py")
    started = subprocess.run(command, cwd=fork.root, env=environment, check=False, capture_output=True, text=True)
    assert started.stdout == "shadow\n"


@pytest.mark.parametrize(
    "name",
    ["pkg/text.py", "pkg/notes.md", "pkg", "src/pkg/__init__.py", "ours/deep/pkg/__init__.py", "pkg.toml", "pkgs.py"],
)
def test_what_cannot_win_the_import_is_none(fork: Fork, name: str) -> None:
    assert plant(fork, name) == []


def test_a_folder_without_init_wins_over_a_mirrored_namespace_package(fork: Fork) -> None:
    next(fork.root.glob("**/src/pkg/__init__.py")).unlink()

    assert plant(fork, "pkg/notes.md") == []
    assert plant(fork, "pkg/naming.py") == [("GEN007", "pkg")]


def test_a_mirrored_folder_of_the_package_s_own_name_is_none(tmp_path: Path) -> None:
    fork = entry_fork(tmp_path, SOURCE)
    text = fork.project.declaration_path.read_text(encoding="utf-8")
    folder = next(fork.root.glob("**/src/pkg")).parent.parent
    (fork.root / "pkg").parent.mkdir(exist_ok=True)
    folder.rename(fork.root / "pkg")
    shown = folder.relative_to(fork.root).as_posix()
    fork.project.declaration_path.write_text(text.replace(f'path = "{shown}"', 'path = "pkg"'), encoding="utf-8")
    (fork.root / "pkg/__init__.py").write_bytes(b"")

    assert "GEN007" not in {one.code for one in check_entry(fork.project).findings}


@pytest.mark.parametrize("name", ["ours.py", "ours.cpython-311-x86_64-linux-gnu.so", "ours.pyc"])
def test_a_module_in_place_of_the_folder_of_the_entry_is_a_finding(fork: Fork, name: str) -> None:
    assert not (fork.root / "ours/__init__.py").exists()
    assert plant(fork, "ours.toml") == []
    assert plant(fork, name) == [("GEN007", name)]
    assert plant(fork, "ours/__init__.py", b"") == []
