import asyncio
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.internal.management.gojson import BodyUnreadable, GoJSONResponse, go_json_list, parse_fields

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(VALUES)
def test_what_is_written_is_json_again(value: object) -> None:
    assert json.loads(GoJSONResponse({}).render(value)) == value


def test_html_characters_are_escaped_and_others_are_not() -> None:
    assert GoJSONResponse({"a": "<b>&é\u2028"}).body == b'{"a":"\\u003cb\\u003e\\u0026\xc3\xa9\\u2028"}'


def test_names_are_found_in_any_case_but_the_exact_one_wins() -> None:
    fields = parse_fields(b'{"NAME":"upper","Url":"u","url":"exact"}', "")
    assert (fields.text("name"), fields.text("url")) == ("upper", "exact")


@pytest.mark.parametrize("body", [b'{"a":1}', b'{"a":["x"]}', b'{"a":{}}'])
def test_a_field_of_another_type_is_refused(body: bytes) -> None:
    with pytest.raises(BodyUnreadable):
        parse_fields(body, "").text("a")


def test_collections_of_texts_are_read_and_checked() -> None:
    fields = parse_fields(b'{"m":{"a":"1","b":null},"l":["x",null],"bad":{"a":1},"worse":[1],"s":true}', "")
    assert fields.mapping("m") == {"a": "1", "b": ""}
    assert fields.texts("l") == ["x", ""]
    assert fields.switch("s") is True
    for read in (fields.mapping, fields.texts, fields.switch):
        with pytest.raises(BodyUnreadable):
            read("bad")
    with pytest.raises(BodyUnreadable):
        fields.texts("worse")


@pytest.mark.parametrize("count", [0, 1, 250, 251, 1000])
async def test_a_long_list_is_written_in_steps_and_reads_as_if_it_were_not(count: int) -> None:
    items = [{"id": f"<{number}>", "note": "\u2028\ud800"} for number in range(count)]
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    waiting = asyncio.create_task(others())
    answer = await go_json_list("files", items)
    waiting.cancel()
    assert answer.body == GoJSONResponse({"files": items}).body
    assert answer.headers["content-type"] == "application/json; charset=utf-8"
    assert turns >= (count - 1) // 250
