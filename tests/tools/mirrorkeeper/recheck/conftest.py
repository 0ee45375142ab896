from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.repository.tracked import ROOT
from tests.tools.mirrorkeeper.recheck.at_rest import wait_until_at_rest
from tests.tools.mirrorkeeper.recheck.stand_in import Tree, make_programs, make_tree
from tools.mirrorkeeper.recheck.wheel import build_program

CRATE = ROOT / "tools/mirrorkeeper/recheck"
TREES = 60


@pytest.fixture(scope="session")
def cargo() -> None:
    """Leave out what needs cargo where there is none, but for CI, where that is a failure."""
    if shutil.which("cargo") is None:
        text = "cargo is not installed: install Rust 1.85 or newer"
        if os.environ.get("CI") == "true":
            pytest.fail(f"{text}; in CI nothing is left out")
        pytest.skip(text)


@pytest.fixture(scope="session")
def program(cargo: None) -> Path:
    """The program `mirrorkeeper-verify`, built."""
    assert cargo is None
    return build_program(CRATE, os.environ)


@pytest.fixture(scope="module")
def trees(program: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tree]:
    """Equal folders at rest, one for each test of the module, beside the program and a stand-in of the command."""
    folder = tmp_path_factory.mktemp("trees")
    made = [
        make_tree(folder / str(number), make_programs(folder / f"{number}-bin", program)) for number in range(TREES)
    ]
    wait_until_at_rest(folder)
    return iter(made)


@pytest.fixture
def tree(trees: Iterator[Tree]) -> Tree:
    """A folder at rest of the test's own, with an environment that has a cache of its own."""
    return next(trees)
