from __future__ import annotations

import ast
import re

import pytest

from tests.repository.docstring_words import LIMIT, docstrings, files_below, language_of, measure
from tests.repository.tracked import ROOT

PLAIN = ("adapter", "extension", "tools")
"""Folders whose docstrings keep the limit."""
CLAUSE = re.compile(r"\s*(?:Whether|Who|Whoever|What|Whatever|Where|When|How|Why|If)\b")
"""Words that open a clause in place of an imperative or a noun."""


def opening_with_a_clause(tree: ast.Module) -> list[str]:
    return [text for _, text in docstrings(tree) if CLAUSE.match(text)]


@pytest.mark.parametrize("folder", PLAIN)
def test_docstrings_name_the_thing_and_not_a_person(folder: str) -> None:
    found = measure(ROOT / folder)

    assert found.words > 0
    assert found.rate < LIMIT, f"{dict(found.counted)}: python -m tests.repository.docstring_words --where {folder}"


@pytest.mark.parametrize("folder", PLAIN)
def test_a_docstring_opens_with_an_imperative_or_a_noun(folder: str) -> None:
    found = {
        f"{path.relative_to(ROOT)}: {text}"
        for path in files_below(ROOT / folder)
        for text in opening_with_a_clause(ast.parse(path.read_text(encoding="utf-8")))
    }

    assert found == set()


def test_an_opening_clause_is_found() -> None:
    tree = ast.parse('"""Whether it ended."""\n\nNAME = 1\n"""Return whether it ended."""\n')

    assert opening_with_a_clause(tree) == ["Whether it ended."]


def test_counted_words_are_found_in_docstrings_alone() -> None:
    tree = ast.parse('"""What nobody knows."""\n\nNAME = "who"\n"""Whoever asks is `told` this."""\n# somebody\n')
    found = language_of(text for _, text in docstrings(tree))

    assert found.counted == {"what": 1, "nobody": 1, "whoever": 1}
    assert found.words == 7
    assert found.rate == pytest.approx(3000 / 7)
