"""Names of accounts in the terminal: whole in a file or pipe, with a shorter place where a terminal is narrow."""

from typing import Any

import pytest
from rich.cells import cell_len

from extension.cli.output.account_name import fitted, named
from extension.cli.output.columns import Column, Row, fitted_rows, print_columns, render

NESTED = "openai-compatibility[0].api-key-entries[1]"
FILE = "0b2f7e5c-9a41-4f0e-8f43-3a6d5f1c2b7d-someone@example.org.json"
COLUMNS = (Column("Action"), Column("Account", fit=fitted), Column("When"), Column("By", optional=True))


def account(number: int, place: str, name: str = "claude-apikey", hint: str = "tk-b…0001") -> dict[str, Any]:
    return {"account": number, "displayName": name, "keyHint": hint, "place": place}


def test_entries_with_one_key_are_told_apart_by_their_place() -> None:
    assert named(account(5, "claude-api-key[0]")) == "claude-apikey #5 tk-b…0001 · claude-api-key[0]"
    assert named(account(6, "claude-api-key[1]")) == "claude-apikey #6 tk-b…0001 · claude-api-key[1]"


def test_a_file_is_named_beside_its_mail_address_and_once_where_it_has_none() -> None:
    mail, unnamed = account(7, "claude-1.json", "a@b.example", ""), account(8, "claude-2.json", "claude-2.json", "")
    assert named(mail) == "a@b.example #7 · claude-1.json"
    assert named(unnamed) == "claude-2.json #8"
    assert named({"id": 9, "displayName": "a@b.example", "place": "", "fileName": "c.json"}).endswith("#9 · c.json")


def test_nothing_is_cut_where_output_is_no_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    whole = named(account(5, FILE))
    print_columns(COLUMNS, [Row(("1", whole, "just now", "web"))])
    assert whole in capsys.readouterr().out


def test_a_terminal_too_narrow_for_a_place_gets_a_shorter_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "40")
    shown = named(account(5, FILE, "a@b.example", ""))
    assert shown.startswith("a@b.example #5 · 0b2f")
    assert shown.endswith("example.org.json")
    assert cell_len(shown.partition(" · ")[2]) <= 40


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("place", ["claude-api-key[5]", NESTED, FILE])
def test_the_place_of_an_account_is_in_its_line_at_any_usual_width(place: str, width: int) -> None:
    for columns, cells in (
        (COLUMNS, ("12", named(account(5, place)), "3 min ago", "from the web")),
        (COLUMNS[1:], (named(account(5, place)), "3 min ago", "from the web")),
    ):
        lines = render(columns, fitted_rows(columns, [Row(cells)], width), width)
        assert all(cell_len(line) <= width for line in lines)
        assert any(
            "claude-apikey #5 tk-b…0001 · " in line and all(each in line for each in (place[:1], place[-3:]))
            for line in lines
        )


def test_an_entry_keeps_its_numbers_and_a_file_its_ends() -> None:
    assert fitted(named(account(5, NESTED)), 52) == "claude-apikey #5 tk-b…0001 · openai-…[0].api-ke…[1]"
    assert fitted(named(account(5, NESTED)), 41) == "claude-apikey #5 tk-b…0001 · op…[0].a…[1]"
    assert fitted(f"a@b.example #7 · {FILE}", 40) == "a@b.example #7 · 0b2f7e5c-9a…le.org.json"
    assert fitted("claude-apikey #5 tk-b…0001", 12) == "claude-apikey #5 tk-b…0001"
    assert fitted("账户 #5 · 账户账户账户账户.json", 22) == "账户 #5 · 账户…户.json"
