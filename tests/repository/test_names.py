"""Names of classes, modules and local values, and the first words of docstrings."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Final

import pytest

from tests.repository.tracked import ROOTS, docstrings, hand_written, modules_below, text_of, tree_of

NAMELESS: Final = {"utils", "util", "helpers", "helper", "common", "misc", "base", "core", "manager", "handler"}
WITHOUT_TYPE: Final = frozenset(
    {"asked", "each", "found", "given", "held", "here", "kept", "known", "left", "one", "own", "said", "seen"}
    | {"standing", "taken", "told", "wanted"}
)
"""Names of values that say neither type nor role."""
MOST_PER_1000_LINES: Final = 3.0
PLAIN: Final = ("adapter/contract", "adapter/port", "extension/console")
"""Packages that keep to it; one that is cleaned is added."""
SHARED: Final[Mapping[str, str]] = {
    "LazyGroup": "Command groups of two programs; the generic tools import nothing of the project.",
    "Row": "A row of a terminal table, and a row of a git tree as git itself names it.",
    "Source": "The accounts an inspection covers, a stored setting; and the place an upstream is fetched from.",
}
"""Names that may stand for two classes, each with its reason."""
CLAUSE: Final = re.compile(r"\s*(?:Whether|Who|Whoever|What|Whatever|Where|When|How|Why|If)\b")
"""Words that open a clause in place of an imperative or a noun."""


def bound_names(tree: ast.Module) -> Iterator[str]:
    """Yield each name that the code gives to a value: variables, parameters, attributes, targets of loops."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr
        elif isinstance(node, ast.arg):
            yield node.arg


def rate(names: Iterable[str]) -> float:
    """Return how many names without a type the files bind per 1,000 lines."""
    files = list(names)
    lines = sum(text_of(name).count("\n") for name in files)
    bad = sum(bound.strip("_") in WITHOUT_TYPE for name in files for bound in bound_names(tree_of(name)))
    return 1000 * bad / lines if lines else 0.0


def used_twice(files: Iterable[tuple[str, ast.Module]]) -> dict[str, list[str]]:
    """Return the names of more than one class, each with its files."""
    places: defaultdict[str, list[str]] = defaultdict(list)
    for path, tree in files:
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(path)
    return {name: paths for name, paths in sorted(places.items()) if len(paths) > 1}


@pytest.mark.parametrize("package", PLAIN)
def test_values_are_named_after_their_type_or_role(package: str) -> None:
    assert rate(modules_below(package)) < MOST_PER_1000_LINES


def test_names_of_variables_parameters_attributes_and_loops_count() -> None:
    tree = ast.parse("def f(given):\n    self.kept = [one for one in given]\n    account = found = 1\n")

    assert sorted(name for name in bound_names(tree) if name in WITHOUT_TYPE) == ["found", "given", "kept", "one"]


def test_every_module_is_named_after_the_noun_it_owns() -> None:
    nameless = [
        name
        for name in hand_written(".py", ".js")
        if NAMELESS & {PurePosixPath(part).stem for part in PurePosixPath(name).parts}
    ]

    assert nameless == []


def test_a_class_name_stands_for_one_class() -> None:
    shared = used_twice((name, tree_of(name)) for name in modules_below(*ROOTS))

    assert {name: files for name, files in shared.items() if name not in SHARED} == {}


def test_a_second_class_of_a_name_is_found_also_within_a_class() -> None:
    files = [("a.py", ast.parse("class Row: ...")), ("b.py", ast.parse("class Other:\n    class Row: ..."))]

    assert used_twice(files) == {"Row": ["a.py", "b.py"]}


def test_a_docstring_opens_with_an_imperative_or_a_noun() -> None:
    clauses = [f"{name}: {text}" for name in modules_below(*ROOTS) for text in docstrings(tree_of(name))
               if CLAUSE.match(text)]  # fmt: skip

    assert clauses == []
