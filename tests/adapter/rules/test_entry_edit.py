"""An edit that would make the gateway drop an entry, with its key, as the repetition of another one."""

import json
from typing import Any

import pytest

from adapter.port import Entry, Section, errors
from adapter.privacy.secret import Secret
from adapter.rules.entry_edit import with_fields, without_headers

FIRST: dict[str, Any] = {"api-key": "k", "base-url": "http://a"}
OTHER: dict[str, Any] = {**FIRST, "prefix": "team", "headers": {"X-A": "1"}}


def edited(section: Section, second: dict[str, Any], **fields: Any) -> list[Any]:
    return list(with_fields(section, [FIRST, second], 1, Entry(Secret(json.dumps(fields)))))


@pytest.mark.parametrize(
    ("section", "fields", "is_refused"),
    [
        (Section.GEMINI, {"prefix": None}, False),
        (Section.GEMINI, {"prefix": None, "headers": None}, True),
        (Section.INTERACTIONS, {"prefix": "/", "headers": {"X-A": " "}}, True),
        (Section.VERTEX, {"base-url": "http://a"}, True),
        (Section.VERTEX, {"base-url": "http://c"}, False),
        (Section.CLAUDE, {"prefix": None, "headers": None}, False),
    ],
)
def test_an_entry_is_not_made_equal_to_another_where_one_is_dropped(
    section: Section, fields: dict[str, Any], *, is_refused: bool
) -> None:
    second = {**OTHER, "base-url": "http://b"} if section is Section.VERTEX else OTHER
    if is_refused:
        with pytest.raises(errors.Rejected, match="drops the second"):
            edited(section, second, **fields)
    else:
        assert len(edited(section, second, **fields)) == 2


def test_an_entry_that_repeats_another_one_already_is_edited() -> None:
    assert edited(Section.VERTEX, OTHER, priority=1)[1]["priority"] == 1


def test_headers_are_not_removed_in_two_steps_where_the_first_repeats_an_entry() -> None:
    before = [FIRST, {**FIRST, "headers": {"X-A": "1", "X-B": "2"}}]
    after = [FIRST, {**FIRST, "headers": {"X-A": "1"}}]
    with pytest.raises(errors.Rejected):
        without_headers(Section.GEMINI, before, after, 1)
    assert without_headers(Section.CLAUDE, before, after, 1) == [FIRST, FIRST]
