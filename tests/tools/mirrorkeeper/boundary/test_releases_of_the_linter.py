"""import-linter from release 2.17 on registers its own contract types without the project's options."""

from __future__ import annotations

from pathlib import Path

import pytest
from importlinter.application import use_cases
from importlinter.domain.contract import registry

from tools.mirrorkeeper.boundary import lint_process

OLD, NEW = "_register_contract_types", "_register_built_in_contract_types"
CONFIG = """
[importlinter]
root_package = linted

[importlinter:contract:1]
name = One way
type = forbidden
source_modules = linted.a
forbidden_modules = linted.b
"""


@pytest.fixture
def linted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package whose module `a` imports `b`, which its only contract forbids."""
    files = {"__init__.py": "", "a.py": "import linted.b\n", "b.py": ""}
    (tmp_path / "linted").mkdir()
    for name, text in files.items():
        (tmp_path / "linted" / name).write_text(text, encoding="utf-8")
    (tmp_path / "linted.ini").write_text(CONFIG, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("newer", [False, True], ids=["to 2.16", "from 2.17"])
def test_a_broken_contract_is_found_whatever_the_release(
    linted: Path, monkeypatch: pytest.MonkeyPatch, *, newer: bool
) -> None:
    types = dict(use_cases._get_built_in_contract_types())

    def built_in() -> None:
        for name, kind in types.items():
            registry.register(kind, name)

    monkeypatch.delattr(use_cases, OLD, raising=False)
    monkeypatch.delattr(use_cases, NEW, raising=False)
    if newer:
        monkeypatch.setattr(use_cases, NEW, built_in, raising=False)
    else:
        monkeypatch.setattr(use_cases, OLD, lambda _: built_in(), raising=False)
    (broken,) = lint_process.broken_contracts(str(linted / "linted.ini"))
    assert broken["contract"] == "One way"
    assert broken["chains"] == [[{"importer": "linted.a", "imported": "linted.b", "line": 1}]]
