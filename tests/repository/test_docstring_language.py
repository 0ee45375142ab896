from __future__ import annotations

import ast

import pytest

from tests.repository.docstring_words import LIMIT, docstrings, language_of, measure
from tests.repository.tracked import ROOT

PLAIN = ("adapter", "extension", "tools")
"""Folders whose docstrings keep the limit."""


@pytest.mark.parametrize("folder", PLAIN)
def test_docstrings_name_the_thing_and_not_a_person(folder: str) -> None:
    found = measure(ROOT / folder)

    assert found.words > 0
    assert found.rate < LIMIT, f"{dict(found.counted)}: python -m tests.repository.docstring_words --where {folder}"


def test_counted_words_are_found_in_docstrings_alone() -> None:
    tree = ast.parse('"""What nobody knows."""\n\nNAME = "who"\n"""Whoever asks is `told` this."""\n# somebody\n')
    found = language_of(text for _, text in docstrings(tree))

    assert found.counted == {"what": 1, "nobody": 1, "whoever": 1}
    assert found.words == 7
    assert found.rate == pytest.approx(3000 / 7)
