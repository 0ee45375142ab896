from pathlib import Path

import pytest

from gateway.internal.environment import parse, with_file


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("A=b", "b"),
        (" export A = b c ", "b c"),
        ("A: b", "b"),
        ("A=", ""),
        ("A=b # note", "b"),
        ("A=b#c", "b#c"),
        ("A=# note", ""),
        ("A='b # c' # note", "b # c"),
        ("A='b\\n'", "b\\n"),
        ('A="b\\n\\"c\\" # d" # note', 'b\n"c" # d'),
        ('A="open', '"open'),
        ("A=1\nA=2", "2"),
    ],
)
def test_a_line_gives_a_name_its_value(text: str, value: str) -> None:
    assert parse(text) == {"A": value}


@pytest.mark.parametrize("text", ["", "# A=b", "no equals", "1A=b", "\n\n"])
def test_other_lines_say_nothing(text: str) -> None:
    assert parse(text) == {}


def test_the_process_wins_over_the_file_and_an_absent_file_adds_nothing(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("MANAGEMENT_PASSWORD=file\nOTHER=o\n")
    assert with_file({"MANAGEMENT_PASSWORD": "process"}, tmp_path / ".env") == {
        "MANAGEMENT_PASSWORD": "process",
        "OTHER": "o",
    }
    assert with_file({"A": "b"}, tmp_path / "none") == {"A": "b"}
