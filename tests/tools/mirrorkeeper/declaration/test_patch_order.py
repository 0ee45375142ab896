from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.mirrorkeeper.declaration.patch_order import with_order
from tools.mirrorkeeper.errors import ToolError

TEXT = """# a comment
schema = 1

[patches]
folder = "patches"
order = [
    "a.patch",   # why [or "not]
    "b]c.patch",
]

[limits]
order = ["not this"]
"""


def test_only_the_list_changes() -> None:
    assert with_order(TEXT, ["b.patch", "a.patch"], "upstream.toml") == (
        '# a comment\nschema = 1\n\n[patches]\nfolder = "patches"\norder = ["b.patch", "a.patch"]\n\n'
        '[limits]\norder = ["not this"]\n'
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("schema = 1\n", 'schema = 1\n\n[patches]\norder = ["a.patch"]\n'),
        ('[patches]\nfolder = "p"\n', '[patches]\norder = ["a.patch"]\nfolder = "p"\n'),
        ("[patches] # ours\norder = []\n", '[patches] # ours\norder = ["a.patch"]\n'),
    ],
)
def test_a_list_that_is_not_there_yet_is_added(text: str, expected: str) -> None:
    assert with_order(text, ["a.patch"], "upstream.toml") == expected


@given(st.lists(st.from_regex(r"[a-z]{1,5}\.patch", fullmatch=True), unique=True, max_size=4))
def test_what_is_written_is_what_is_read(order: list[str]) -> None:
    assert tomllib.loads(with_order(TEXT, order, "upstream.toml"))["patches"]["order"] == order


def test_a_list_written_otherwise_is_left_to_people() -> None:
    with pytest.raises(ToolError):
        with_order('patches = { order = ["x.patch"] }\n', ["a.patch"], "upstream.toml")
