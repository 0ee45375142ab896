"""Planted imports and modules break the layers of the extension, each by the name of its contract."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.repository.test_import_contracts import PACKAGES, planted
from tests.repository.tracked import ROOT

EXTENSION = "Layers of the extension"
SIBLINGS = "No cycle between neighbours anywhere in the extension"
ENGINE = "Layers of the engine"
INSPECTION = "Layers of the inspection"
STORE = "Layers of the store"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's packages and contracts, where a fault can be planted."""
    folder = tmp_path_factory.mktemp("layers")
    for package in PACKAGES:
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__", "static"))
    shutil.copy(ROOT / ".importlinter", folder / ".importlinter")
    return folder


@pytest.mark.slow
@pytest.mark.parametrize(
    ("where", "line", "contracts"),
    [
        ("extension/store/pool/planted.py", "import extension.api.paths", {EXTENSION, SIBLINGS}),
        ("extension/store/pool/planted.py", "import extension.inspection.settings", {EXTENSION}),
        ("extension/engine/pool/planted.py", "import extension.engine.actions.log", {ENGINE, SIBLINGS}),
        ("extension/engine/history/planted.py", "import extension.engine.runs.runner", {ENGINE, SIBLINGS}),
        ("extension/inspection/evidence/planted.py", "import extension.inspection.policy.plan", {INSPECTION, SIBLINGS}),
        ("extension/store/database/planted.py", "import extension.store.runs.runs", {STORE, SIBLINGS}),
        ("extension/store/runs/planted.py", "import extension.store.actions.held", {STORE}),
        ("extension/engine/planted.py", "", {ENGINE}),
    ],
)
def test_a_planted_arrow_breaks_the_contract_of_its_layers(
    project: Path, where: str, line: str, contracts: set[str]
) -> None:
    answer = planted(project, where, line)

    broken = answer.stdout.partition("Broken contracts")[2]
    assert answer.returncode == 1
    assert {name for name in (EXTENSION, SIBLINGS, ENGINE, INSPECTION, STORE) if name in broken} == contracts
