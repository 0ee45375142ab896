from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repository.tracked import ROOT

PACKAGES = ("extension", "adapter", "tools")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's packages and contracts, where a fault can be planted."""
    folder = tmp_path_factory.mktemp("project")
    for package in PACKAGES:
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__", "static"))
    shutil.copy(ROOT / ".importlinter", folder / ".importlinter")
    return folder


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")])),
    }
    return subprocess.run(command, cwd=folder, env=environment, check=False, capture_output=True, text=True)


def planted(folder: Path, where: str, line: str) -> subprocess.CompletedProcess[str]:
    path = folder / where
    before = path.read_bytes() if path.exists() else None
    path.write_bytes((before or b"") + f"\n{line}\n".encode())
    try:
        return lint(folder)
    finally:
        path.unlink() if before is None else path.write_bytes(before)


@pytest.mark.slow
def test_the_contracts_hold_as_they_stand(copy: Path) -> None:
    answer = lint(copy)

    assert answer.returncode == 0, answer.stdout + answer.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("where", "line", "contract"),
    [
        (
            "extension/serving/planted.py",
            "import gateway",
            "Only the adapter and the generated entry import the gateway",
        ),
        (
            "extension/serving/planted.py",
            "def late() -> None:\n    from gateway.internal import runtime",
            "Only the adapter and the generated entry import the gateway",
        ),
        ("adapter/planted.py", "import extension", "One direction"),
        ("tools/project/planted.py", "import extension", "One direction"),
        ("extension/inspection/planted.py", "import socket", "Decisions do no I/O"),
        ("extension/engine/planted.py", "import sqlalchemy", "SQL lives in the store"),
        ("extension/api/planted.py", "import aiohttp", "The extension has no HTTP client of its own"),
        ("extension/api/planted.py", "import adapter.embedded", "Only the composition root and the entry choose"),
        ("adapter/port/planted.py", "import adapter.fake", "The port knows no implementation"),
        ("tools/mirror/planted.py", "import adapter.clock", "The mirror's tools know no project"),
        ("tools/mirror/tree.py", "import tools.project.demo", "The mirror's tools know no project"),
        ("tools/mirror/tree.py", "import tools.mirror.sync", "Layers of the mirror's tools"),
        ("tools/mirror/planted.py", "", "Layers of the mirror's tools"),
        ("tools/planted.py", "", "Tools of this project stand on those of any fork"),
    ],
)
def test_a_planted_import_breaks_its_contract(copy: Path, where: str, line: str, contract: str) -> None:
    answer = planted(copy, where, line)

    assert answer.returncode == 1
    broken = [row for row in answer.stdout.splitlines() if " BROKEN" in row]
    assert any(contract in row for row in broken), answer.stdout
