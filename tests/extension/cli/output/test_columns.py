from hypothesis import given
from hypothesis import strategies as st

from extension.cli.output.columns import Column, Row, render

COLUMNS = (Column("Name"), Column("State"), Column("Detail", optional=True))
WORDS = st.lists(st.text("abcdefgh-", min_size=1, max_size=12), min_size=1, max_size=12).map(" ".join)
ROWS = st.lists(
    st.builds(Row, st.tuples(st.text("xyz", min_size=1, max_size=60), st.just("disabled"), WORDS), WORDS), max_size=6
)


def test_columns_are_aligned_and_notes_stand_beside_where_there_is_room() -> None:
    rows = [Row(("a", "ok", "x"), "fine"), Row(("longer", "off", "y"), "two words")]
    assert render(COLUMNS, rows, 80, "Note") == [
        "Name    State  Detail  Note",
        "a       ok     x       fine",
        "longer  off    y       two words",
    ]


def test_optional_columns_go_first_and_notes_stand_below() -> None:
    rows = [Row(("a-long-name", "disabled", "detail"), "it is off")]
    assert render(COLUMNS, rows, 24, "Note") == ["Name         State", "a-long-name  disabled", "    it is off"]


def test_a_long_first_cell_has_a_line_of_its_own() -> None:
    name = "somebody.with.a.long.name@example.org"
    assert render(COLUMNS[:2], [Row((name, "ok"))], 30) == [f"{'Name':<25}State", name, f"{'':<25}ok"]


def test_wide_characters_keep_columns_aligned() -> None:
    lines = render(COLUMNS[:2], [Row(("账户", "ok")), Row(("abcd", "off"))], 40)
    assert lines[1:] == ["账户  ok", "abcd  off"]


def test_colors_do_not_shift_columns() -> None:
    plain, colored = (
        render(COLUMNS, [Row(("a", "off", "b"), "", {1: "red"})], 80, colored=each) for each in (False, True)
    )
    assert colored[1].replace("\x1b[31m", "").replace("\x1b[0m", "") == plain[1]
    assert colored != plain


@given(rows=ROWS, width=st.integers(40, 200))
def test_no_word_is_broken_and_no_line_is_longer_than_it_must_be(rows: list[Row], width: int) -> None:
    lines = render(COLUMNS, rows, width, "Note")
    words = set(" ".join(lines).split())

    for row in rows:
        assert {row.cells[0], row.cells[1], *row.note.split()} <= words
    longest = max((len(word) for word in words), default=0)
    assert all(len(line) <= max(width, longest + 4) for line in lines)
