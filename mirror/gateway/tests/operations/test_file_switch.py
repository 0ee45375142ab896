import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.internal.operations.file_switch import FileChange, switched

VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(), inner, max_size=3)),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.one_of(st.text(), st.sampled_from(["type", "disabled", "dis\\abled"])), VALUES, max_size=5)
LAYOUTS: st.SearchStrategy[dict[str, Any]] = st.sampled_from(
    [
        {},
        {"indent": 2},
        {"indent": "\t"},
        {"indent": 1, "separators": (" ,", " : ")},
        {"separators": (",", ":"), "ensure_ascii": False},
    ]
)
EDGES = st.sampled_from(["", "\n", "  \r\n", "\n\n"])


def after(content: bytes, *, disabled: bool, **more: Any) -> FileChange:
    change = switched(content, disabled=disabled, **more)
    assert change is not None
    return change


@st.composite
def files(draw: st.DrawFn) -> bytes:
    text = json.dumps(draw(OBJECTS), **draw(LAYOUTS))
    mark = draw(st.sampled_from([b"", b"\xef\xbb\xbf"]))
    return mark + (draw(EDGES) + text + draw(EDGES)).encode("utf-8", "replace")


@given(files(), st.booleans())
def test_a_switch_changes_what_it_says_and_nothing_else_and_is_taken_back_to_the_byte(
    content: bytes, disabled: bool
) -> None:
    change = after(content, disabled=disabled)
    assert json.loads(change.content) == {**json.loads(content), "disabled": disabled}
    was = json.loads(content).get("disabled")
    back = after(change.content, disabled=was is True, back=change.inverse)
    if was is None or isinstance(was, bool):
        assert change.inverse is not None
        assert back.content == content
    assert (json.loads(back.content).get("disabled") is True) is (was is True)


@given(st.sampled_from(["sk-live", "on sk-live", ["sk-live"], {"key": "sk-live"}, 4711]), LAYOUTS)
def test_what_stands_in_the_place_of_a_switch_is_not_kept(value: object, layout: dict[str, Any]) -> None:
    content = json.dumps({"type": "x", "disabled": value, "token": "sk-live"}, **layout).encode()
    assert after(content, disabled=True).inverse is None


@given(files())
def test_without_anything_to_take_back_a_switch_that_was_not_there_goes_again(content: bytes) -> None:
    value = json.loads(content)
    off = after(content, disabled=True)
    on = after(off.content, disabled=False, written=False)
    assert json.loads(on.content) == {name: item for name, item in value.items() if name != "disabled"}
    if "disabled" not in value:
        assert on.content == content


PRETTY = b'{\n  "type": "claude",\n  "disabled": false,\n  "size": 1e400000000000000000001\n}\n'


def test_the_layout_of_a_file_stays_and_numbers_keep_their_spelling() -> None:
    assert after(PRETTY, disabled=True).content == PRETTY.replace(b"false", b"true")
    assert after(b'{\n  "type": "x"\n}\n', disabled=True).content == b'{\n  "type": "x",\n  "disabled": true\n}\n'
    assert after(b'{"type": "x"}', disabled=True).content == b'{"type": "x", "disabled": true}'
    assert after(b" {} ", disabled=True).content == b' {"disabled":true} '


def test_a_file_somebody_has_written_since_is_edited_where_it_stands_now() -> None:
    off = after(b'{"type": "x"}', disabled=True)
    foreign = off.content.replace(b'"x"', b'"y"')
    assert after(foreign, disabled=False, back=off.inverse).content == b'{"type": "y", "disabled": false}'
    assert after(foreign, disabled=False, written=False, back=off.inverse).content == b'{"type": "y"}'


def test_a_name_that_stands_twice_is_switched_where_it_counts_and_the_file_written_anew_where_that_cannot_be() -> None:
    twice = b'{"disabled": true, "type": "x", "disabled": false}'
    assert after(twice, disabled=True).content == twice.replace(b"false", b"true")
    anew = after(twice, disabled=False, written=False)
    assert (anew.content, anew.inverse) == (b'{"type":"x"}', None)


def test_a_file_in_another_encoding_is_written_anew() -> None:
    change = after('{"type": "é"}'.encode("utf-16"), disabled=True)
    assert (change.content, change.inverse) == ('{"disabled":true,"type":"é"}'.encode(), None)


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b'{"a": NaN, "disabled": tru', b"\xff\xfe\x00", b"[" * 100_000])
def test_what_is_no_object_is_not_switched(content: bytes) -> None:
    assert switched(content, disabled=True) is None
