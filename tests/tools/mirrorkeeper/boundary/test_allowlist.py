from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.mirrorkeeper.boundary.allowlist import compare, list_text, pruned
from tools.mirrorkeeper.declaration.used_names import Symbol, parse_list
from tools.mirrorkeeper.errors import ToolError

RUN = Symbol("gateway.internal.runtime", "Runtime")
OLD = Symbol("gateway.internal.runtime", "old")

names = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,8}", fullmatch=True)
symbols = st.builds(Symbol, st.lists(names, min_size=1, max_size=3).map(".".join), names)
reasons = st.text(st.characters(min_codepoint=32, max_codepoint=0x2FF, exclude_characters="\x7f"), max_size=20)


@given(st.dictionaries(symbols, reasons.map(str.strip), max_size=8))
def test_a_list_reads_back_as_it_was_written(listed: dict[Symbol, str]) -> None:
    assert parse_list(list_text(listed), "names.toml") == listed


def test_a_new_name_needs_an_entry() -> None:
    (finding,) = compare({RUN: ("adapter/a.py", 7)}, {}, "names.toml")

    assert (finding.code, finding.shown_path, finding.line) == ("IMP005", "adapter/a.py", 7)
    assert "gateway.internal.runtime.Runtime" in finding.message


def test_a_name_nobody_uses_has_to_go_and_pruning_takes_just_it() -> None:
    listed = {RUN: "the live gateway", OLD: "was needed once"}
    (finding,) = compare({RUN: ("adapter/a.py", 7)}, listed, "names.toml")

    assert (finding.code, finding.fix) == ("IMP006", "python -m tools boundary --prune")
    assert pruned(listed, {RUN}) == {RUN: "the live gateway"}


def test_an_entry_without_a_reason_is_none() -> None:
    (finding,) = compare({RUN: ("adapter/a.py", 7)}, {RUN: ""}, "names.toml")

    assert finding.code == "IMP007"


@pytest.mark.parametrize("text", ["[", '["a.b"]\nname = 3', "name = 'loose'"])
def test_a_list_that_cannot_be_read_says_so(text: str) -> None:
    with pytest.raises(ToolError):
        parse_list(text, "names.toml")
