from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repository.tracked import ROOT

CONTRACTS = ("port", "adapter-layers", "management-layers", "switching-layers", "adapter-siblings")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packages and contracts, where a violation can be planted."""
    folder = tmp_path_factory.mktemp("project")
    for package in ("extension", "adapter", "tools"):
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__", "static"))
    shutil.copy(ROOT / ".importlinter", folder / ".importlinter")
    return folder


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    """Check the adapter's contracts alone."""
    chosen = [argument for contract in CONTRACTS for argument in ("--contract", contract)]
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache", *chosen]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")])),
    }
    return subprocess.run(command, cwd=folder, env=environment, check=False, capture_output=True, text=True)


@pytest.mark.slow
def test_the_adapter_keeps_its_contracts(copy: Path) -> None:
    answer = lint(copy)

    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert f"Contracts: {len(CONTRACTS)} kept, 0 broken" in answer.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("where", "line", "contract"),
    [
        ("adapter/rules/planted.py", "import adapter.fake", "The port knows no implementation"),
        ("adapter/port/planted.py", "import adapter.rules.identity", "Layers of the adapter"),
        ("adapter/privacy/planted.py", "import adapter.port.accounts", "Layers of the adapter"),
        ("adapter/clock_planted.py", "", "Layers of the adapter"),
        ("adapter/fake/planted.py", "import adapter.embedded.usage", "Layers of the adapter"),
        ("adapter/embedded/planted.py", "import adapter.management.client.http", "Layers of the adapter"),
        (
            "adapter/management/client/planted.py",
            "import adapter.management.listing.files",
            "Layers of the management implementation",
        ),
        (
            "adapter/management/switching/planted.py",
            "import adapter.management.documents",
            "Layers of the management implementation",
        ),
        (
            "adapter/management/listing/planted.py",
            "import adapter.management.diagnostics.advice",
            "Layers of the management implementation",
        ),
        ("adapter/management/planted.py", "", "Layers of the management implementation"),
        ("adapter/management/switching/planted.py", "", "Layers of switching over the management API"),
    ],
)
def test_a_planted_module_breaks_its_contract(copy: Path, where: str, line: str, contract: str) -> None:
    path = copy / where
    path.write_text(line + "\n", encoding="utf-8")
    try:
        answer = lint(copy)
    finally:
        path.unlink()

    assert answer.returncode == 1
    assert f"{contract} BROKEN" in answer.stdout, answer.stdout + answer.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("where", "line", "contract"),
    [
        (
            "adapter/management/switching/section_plan.py",
            "from adapter.management.switching.status_updater import StatusUpdater",
            "Layers of switching over the management API",
        ),
        (
            "adapter/rules/identity.py",
            "from adapter.rules.entries import KeyRecord",
            "No cycle between siblings in the adapter",
        ),
        (
            "adapter/embedded/pool.py",
            "from adapter.embedded.gateway import EmbeddedGateway",
            "No cycle between siblings in the adapter",
        ),
    ],
)
def test_an_import_upward_between_existing_modules_breaks_its_contract(
    copy: Path, where: str, line: str, contract: str
) -> None:
    path = copy / where
    text = path.read_text(encoding="utf-8")
    path.write_text(f"{text}\n{line}\n", encoding="utf-8")
    try:
        answer = lint(copy)
    finally:
        path.write_text(text, encoding="utf-8")

    assert answer.returncode == 1
    assert f"{contract} BROKEN" in answer.stdout, answer.stdout + answer.stderr
