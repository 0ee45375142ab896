"""A section more takes one row and nothing else: shown with a copy of the adapter that has one.

The row belongs to a known family: a new family has a name in the settings, which is a decision of its own.
"""

import os
import shutil
import subprocess
import sys
from dataclasses import asdict, fields
from pathlib import Path

import pytest

from adapter.port.section import Section, SectionRow

ROOT = Path(__file__).parents[3]
SUITE = "test_sections.py"
WHOLE = ("tests/adapter/rules", "tests/adapter/fake", "tests/adapter/management", "tests/adapter/privacy")
LISTED_BY_NAME = ("test_eighth_section", "test_sections_are_met_in_the_order_of_the_stock_synthesis")
"""Tests of this very table, which name its rows on purpose."""
LAST = "    @property\n    def holds_providers"
ROW = """\
    EIGHTH = (
        "eighth-api-key",
        SectionRow(
            provider="eighth",
            label="eighth-apikey",
            family="vendor-b-apikey",
            default_address=None,
            shape=EntryShape.KEY,
            needs_base_url=True,
            needs_key=True,
            extended_id=True,
            index_seed=IndexSeed.ADDRESS_AND_KEY,
        ),
    )

"""


def add_row(table: Path, row: str) -> None:
    """Insert a row at the end of the table."""
    text = table.read_text(encoding="utf-8")
    assert text.count(LAST) == 1
    table.write_text(text.replace(LAST, row + LAST), encoding="utf-8")


def suite_with(folder: Path, row: str) -> subprocess.CompletedProcess[str]:
    """Run the suite of the sections over a copy of the adapter whose table has this row as well."""
    shutil.copytree(ROOT / "adapter", folder / "adapter", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(Path(__file__).with_name(SUITE), folder / SUITE)
    add_row(folder / "adapter/port/section.py", row)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-o", "asyncio_mode=auto", "-v", SUITE]
    return subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder), "PYTEST_ADDOPTS": ""},
        check=False,
        capture_output=True,
        text=True,
    )


@pytest.mark.slow
def test_an_eighth_row_is_all_that_reading_identity_and_switching_need(tmp_path: Path) -> None:
    answer = suite_with(tmp_path, ROW)

    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert "test_an_account_is_switched_off_and_on_again[eighth-api-key] PASSED" in answer.stdout


@pytest.mark.soak
@pytest.mark.timeout(300)
def test_the_adapters_own_suite_passes_with_an_eighth_row(tmp_path: Path) -> None:
    for folder in ("adapter", "tests", "tools"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "mirror").mkdir()
    shutil.copy(ROOT / "mirror/upstream.toml", tmp_path / "mirror")
    add_row(tmp_path / "adapter/port/section.py", ROW)
    command = [
        *(sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-m", "not slow"),
        *("-k", " and ".join(f"not {name}" for name in LISTED_BY_NAME), *WHOLE),
    ]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "PYTEST_ADDOPTS": ""}
    answer = subprocess.run(command, cwd=tmp_path, env=environment, check=False, capture_output=True, text=True)

    assert answer.returncode == 0, answer.stdout + answer.stderr


@pytest.mark.parametrize("column", [field.name for field in fields(SectionRow)])
def test_an_eighth_row_without_a_column_fails_by_the_name_of_the_column(column: str) -> None:
    columns = asdict(Section.CLAUDE.row)
    del columns[column]
    with pytest.raises(TypeError, match=rf"of SectionRow has no column {column}: add it\."):
        SectionRow(**columns)


def test_a_section_without_a_row_fails_by_its_name(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "adapter", tmp_path / "adapter", ignore=shutil.ignore_patterns("__pycache__"))
    add_row(tmp_path / "adapter/port/section.py", '    EIGHTH = "eighth-api-key"\n\n')
    command = [sys.executable, "-c", "import adapter.port.section"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    answer = subprocess.run(command, cwd=tmp_path, env=environment, check=False, capture_output=True, text=True)
    assert answer.returncode != 0
    assert "The section eighth-api-key has no SectionRow" in answer.stderr
