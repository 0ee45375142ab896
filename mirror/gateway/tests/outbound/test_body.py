import gzip
import zlib
from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.internal.outbound.body import BodyRefused, as_text, read_body


async def pieces(data: bytes, size: int) -> AsyncIterator[bytes]:
    for start in range(0, len(data), size):
        yield data[start : start + size]


@given(st.binary(max_size=4000), st.integers(1, 700))
async def test_a_compressed_body_comes_out_as_it_went_in(data: bytes, size: int) -> None:
    assert await read_body(pieces(gzip.compress(data), size), gzipped=True, limit=None) == (data, False)


async def test_several_compressed_members_are_one_body() -> None:
    packed = gzip.compress(b"one ") + gzip.compress(b"two")
    assert await read_body(pieces(packed, 5), gzipped=True, limit=None) == (b"one two", False)


@given(st.binary(max_size=300), st.integers(0, 300), st.integers(1, 50))
async def test_the_limit_cuts_and_says_so(data: bytes, limit: int, size: int) -> None:
    body, truncated = await read_body(pieces(data, size), gzipped=False, limit=limit)
    assert (body, truncated) == (data[:limit], len(data) > limit)


@pytest.mark.parametrize("limit", [2 * 2**20, None])
async def test_a_bomb_is_called_one(limit: int | None) -> None:
    packed = gzip.compress(bytes(50_000_000))
    with pytest.raises(BodyRefused, match="decompression bomb: over 200 times its size"):
        await read_body(pieces(packed, 1024), gzipped=True, limit=limit)


async def test_a_long_body_that_compresses_well_is_no_bomb() -> None:
    data = b"".join(b'{"id": "model-%d", "object": "model"},' % number for number in range(100_000))
    packed = gzip.compress(data)
    assert await read_body(pieces(packed, 65536), gzipped=True, limit=None) == (data, False)


async def test_no_body_is_held_beyond_64_mib() -> None:
    chunk = bytes(2**20)

    async def endless() -> AsyncIterator[bytes]:
        while True:
            yield chunk

    with pytest.raises(BodyRefused, match="the body is longer than 64 MiB"):
        await read_body(endless(), gzipped=False, limit=None)


@pytest.mark.parametrize("packed", [b"plain text", gzip.compress(b"whole body")[:-9]])
async def test_a_damaged_body_is_an_error(packed: bytes) -> None:
    with pytest.raises(zlib.error):
        await read_body(pieces(packed, 7), gzipped=True, limit=None)


@pytest.mark.parametrize(
    ("body", "text"), [(b"caf\xc3\xa9", "café"), (b"\xff\xfe", "\ufffd\ufffd"), (b"a\xe2\x82b", "a\ufffd\ufffdb")]
)
def test_each_byte_that_is_not_utf_8_becomes_one_replacement_character(body: bytes, text: str) -> None:
    assert as_text(body) == text
