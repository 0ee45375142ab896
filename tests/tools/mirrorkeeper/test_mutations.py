"""Each mutation of the table is found by the gates."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.mutated_project import copied_project, make_project, mutate
from tests.tools.mirrorkeeper.mutations import MUTATIONS, Mutation
from tests.tools.mirrorkeeper.repositories import Fork
from tools.mirrorkeeper.gates import run_gates

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Fork:
    """A clean project at the newer of two bundled releases, with a patch and a generated entry."""
    fork = make_project(tmp_path_factory.mktemp("mutated"))
    assert found(fork) == set()
    return fork


def found(fork: Fork) -> set[str]:
    """The codes that the gates find; `!` when one could not check."""
    report = run_gates(fork.project)
    codes = {one.code for one in report.findings if one.code != "MIR011"}
    return codes | ({"!"} if report.unchecked else set())


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda one: one.name)
def test_every_mutation_is_found_by_the_gates(made: Fork, tmp_path: Path, mutation: Mutation) -> None:
    fork = copied_project(made, tmp_path / "fork")
    mutate(fork, mutation)

    codes, expected = found(fork), set(mutation.codes.split())
    assert codes & expected if expected else not codes


def test_the_table_is_large_and_names_each_mutation_once() -> None:
    names = [one.name for one in MUTATIONS]
    assert len(names) == len(set(names))
    assert len(names) >= 80
