from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.rules.resp import RespError, RespInvalid, RespParser, RespValue, command

LINE = st.text(st.characters(codec="ascii", exclude_characters="\r\n"), max_size=20)
VALUES = st.recursive(
    st.none() | st.integers(-(10**17), 10**17) | st.binary(max_size=50) | LINE.map(RespError),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=8,
)


def encoded(value: RespValue) -> bytes:
    if value is None:
        return b"$-1\r\n"
    if isinstance(value, int):
        return b":%d\r\n" % value
    if isinstance(value, RespError):
        return b"-%s\r\n" % value.text.encode()
    if isinstance(value, list):
        return b"*%d\r\n%s" % (len(value), b"".join(encoded(element) for element in value))
    return b"$%d\r\n%s\r\n" % (len(value), value)


@given(st.lists(VALUES, max_size=6), st.lists(st.integers(0, 400), max_size=20))
def test_values_are_the_same_however_the_stream_is_cut(values: list[RespValue], cuts: list[int]) -> None:
    stream = b"".join(encoded(value) for value in values)
    places = [0, *sorted(min(cut, len(stream)) for cut in cuts), len(stream)]
    parser = RespParser()
    parsed = [value for start, end in pairwise(places) for value in parser.feed(stream[start:end])]

    assert parsed == values


@given(st.binary(max_size=200))
def test_any_bytes_are_values_or_refused(stream: bytes) -> None:
    try:
        RespParser().feed(stream)
    except RespInvalid:
        assert stream


@pytest.mark.parametrize(
    "stream", [b"HTTP/1.1 400 Bad Request\r\n", b"$9999999999\r\n", b"*-2\r\n", b":x\r\n", b"$1\r\nabc\r\n"]
)
def test_another_protocol_is_refused(stream: bytes) -> None:
    with pytest.raises(RespInvalid):
        RespParser().feed(stream)


@given(st.lists(st.binary(max_size=30), min_size=1, max_size=4))
def test_a_command_is_a_list_of_its_parts(parts: list[bytes]) -> None:
    assert RespParser().feed(command(*parts)) == [parts]
