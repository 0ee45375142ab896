from __future__ import annotations

import ast

from tests.repository.class_names import ALLOWED, MOST, parsed, used_twice
from tests.repository.docstring_words import ROOTS
from tests.repository.tracked import ROOT


def test_a_class_name_stands_for_one_class() -> None:
    found = used_twice(parsed(ROOT / root for root in ROOTS))

    assert set(found) == set(ALLOWED), {name: files for name, files in found.items() if name not in ALLOWED}
    assert len(ALLOWED) <= MOST
    assert all(reason.endswith(".") for reason in ALLOWED.values())


def test_a_second_class_of_a_name_is_found_also_within_a_class() -> None:
    files = [("a.py", ast.parse("class Row: ...")), ("b.py", ast.parse("class Other:\n    class Row: ..."))]

    assert used_twice(files) == {"Row": ["a.py", "b.py"]}
