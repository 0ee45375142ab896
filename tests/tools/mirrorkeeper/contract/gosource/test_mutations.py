"""Each tree of the table is said to hold its route only where a build serves it whatever happens."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.contract.gosource.mutations import MUTATIONS, NOT_SEEN, Mutation
from tests.tools.mirrorkeeper.contract.gosource.trees import surface_of

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda one: one.name)
def test_a_route_is_there_only_where_it_is_served(tmp_path: Path, mutation: Mutation) -> None:
    surface = surface_of(tmp_path, mutation.files)
    route = ("GET", "/a")
    offered = "GET" in surface.routes.get("/a", ())
    there = offered and not surface.conditional.get(route) and not surface.refused.get(route)

    assert there is (mutation.there or mutation.name in NOT_SEEN)


def test_the_table_is_large_and_names_each_mutation_once() -> None:
    names = [one.name for one in MUTATIONS]
    assert len(names) == len(set(names))
    assert len(names) >= 90
    assert set(names) >= NOT_SEEN
