"""Lists get other items: what stays keeps its lines and comments, and no comment is ever lost."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.internal.configuration.applying import apply
from gateway.internal.configuration.document import parse_document
from gateway.internal.configuration.edits import Arrange, New
from gateway.internal.configuration.errors import EditRefused

TEXT = """# top
list: # all
  # first
  - k: 1 # one
    v: "q # no comment"
    # end of one
  # second
  - k: 2

  # third
  - k: 3
    text: |
      written # not a comment
# tail
flow: [x, y, "z"]
empty: []  # nothing
nothing:
flush:
- p
- q # Q
"""


def arranged(path: str, *items: int | New) -> str:
    return apply(TEXT, [Arrange((path,), items)])


def part(text: str, start: str, end: str) -> str:
    return text[text.index(start) : text.index(end)]


def test_an_item_moves_with_its_comments() -> None:
    assert part(arranged("list", 1, 2, 0), "list:", "# tail") == (
        "list: # all\n  # second\n  - k: 2\n\n  # third\n  - k: 3\n    text: |\n      written # not a comment\n"
        '  # first\n  - k: 1 # one\n    v: "q # no comment"\n    # end of one\n'
    )


def test_a_dropped_item_leaves_its_comments_where_it_was() -> None:
    assert part(arranged("list", 1), "list:", "# tail") == (
        "list: # all\n  # first\n  # one\n  # end of one\n  # second\n  - k: 2\n  # third\n"
    )


def test_a_new_item_is_written_between_others() -> None:
    text = arranged("list", 0, New({"k": 9, "m": [1, {"z": 2}]}), 1, 2)
    assert "    # end of one\n  - k: 9\n    m:\n      - 1\n      - z: 2\n  # second\n" in text


def test_what_stays_in_place_is_not_touched() -> None:
    assert arranged("list", 0, 1, 2) == TEXT
    assert arranged("flow", 0, 1, 2) == TEXT


@pytest.mark.parametrize(
    ("path", "items", "line"),
    [
        ("flow", (2, New("w"), 0), 'flow: ["z", w, x]\n'),
        ("flow", (), "flow: []\n"),
        ("empty", (New("a"), New({"b": 1})), "empty:  # nothing\n  - a\n  - b: 1\n"),
        ("nothing", (New("a"),), "nothing:\n  - a\n"),
        ("flush", (1, New("r")), "- q # Q\n- r\n"),
        ("flush", (), "flush: []\n# Q\n"),
        ("absent", (New("a"),), "absent:\n  - a\n"),
    ],
)
def test_a_list_keeps_the_form_it_is_written_in(path: str, items: tuple[int | New, ...], line: str) -> None:
    assert line in arranged(path, *items)


def test_a_text_without_a_final_line_break_gets_one_only_where_needed() -> None:
    assert apply("l:\n- a\n- b", [Arrange(("l",), (1, 0))]) == "l:\n- b\n- a"
    assert apply("l:\n- a", [Arrange(("l",), (0, New("b")))]) == "l:\n- a\n- b"


@pytest.mark.parametrize("items", [(0, 0), (3,), (-1,)])
def test_an_item_that_is_not_there_is_refused(items: tuple[int, ...]) -> None:
    with pytest.raises(EditRefused):
        arranged("list", *items)


@pytest.mark.parametrize(
    "text", ["a: &a [1, 2]\nlist: *a\n", "list: [1, # one\n  2]\n", "list: &a\n- &b x\n- *b\n", "list: 3\n"]
)
def test_a_list_in_a_form_that_cannot_be_taken_apart_is_refused(text: str) -> None:
    with pytest.raises(EditRefused):
        apply(text, [Arrange(("list",), (1, New("n"), 0))])


def test_line_ends_of_another_system_stay() -> None:
    text = "l:\r\n- a # A\r\n- b\r\nlast: 1\r\n"
    assert apply(text, [Arrange(("l",), (0, New("c"), 1))]) == "l:\r\n- a # A\r\n- c\r\n- b\r\nlast: 1\r\n"
    assert apply(text, [Arrange(("l",), (1, 0))]) == "l:\r\n- b\r\n- a # A\r\nlast: 1\r\n"


@given(
    st.lists(st.sampled_from(["a", "b # B", "k: 1 # K\n{0}  m:\n{0}    - deep # D", "[1, 2]"]), max_size=5),
    st.lists(st.one_of(st.integers(0, 4), st.builds(New, st.sampled_from(["n", {"k": [1]}])))),
    st.integers(0, 3),
    st.booleans(),
)
def test_any_arrangement_says_what_it_should_and_keeps_every_comment(
    written: list[str], wished: list[int | New], indent: int, commented: bool
) -> None:
    column = " " * indent
    lines = [
        f"{column}# before {at}\n" * commented + f"{column}- {item.format(column)}\n" for at, item in enumerate(written)
    ]
    text = "list:\n" + "".join(lines) + "# after\nlast: 1\n"
    kept: list[int] = []
    for item in wished:
        if not isinstance(item, New) and item < len(written) and item not in kept:
            kept.append(item)
    items: tuple[int | New, ...] = (*kept, *(item for item in wished if isinstance(item, New)))
    if not items and not written:
        return
    result = apply(text, [Arrange(("list",), items)])
    before = parse_document(text)["list"] or []
    assert parse_document(result) == {
        "list": [before[item] if isinstance(item, int) else item.value for item in items],
        "last": 1,
    }
    assert sorted(re.findall("#.*", result)) == sorted(re.findall("#.*", text))
