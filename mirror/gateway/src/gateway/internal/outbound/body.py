"""Upstream bodies, decoded and bounded."""

import re
import zlib
from collections.abc import AsyncIterator

_GZIP_WINDOW = 16 + zlib.MAX_WBITS
_UNDECODABLE = re.compile("[\udc80-\udcff]")
_STEP = 64 * 1024
_UNSUSPICIOUS = 1024 * 1024
_MOST_EXPANSION = 200
LONGEST_BODY = 64 * 1024 * 1024


class BodyRefused(Exception):  # noqa: N818 - it names what happened
    """The body is not read any further; ``str()`` is the reason."""


async def read_body(chunks: AsyncIterator[bytes], *, gzipped: bool, limit: int | None) -> tuple[bytes, bool]:
    """Read up to ``limit`` bytes, counted after decompression; return them and whether there were more.

    Raises:
        zlib.error: The body is not gzip although ``gzipped``.
        BodyRefused: It is a decompression bomb, or longer than any body may be.
    """
    body = bytearray()
    async for piece in _unpacked(chunks) if gzipped else chunks:
        body += piece
        if limit is not None and len(body) > limit:
            return bytes(body[:limit]), True
        if len(body) > LONGEST_BODY:
            raise BodyRefused(f"the body is longer than {LONGEST_BODY // 2**20} MiB")
    return bytes(body), False


async def _unpacked(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Decompress in small steps, so that a small answer cannot fill the memory. An empty body stays empty."""
    unpacker = None
    packed = unpacked = 0
    async for chunk in chunks:
        rest = chunk
        packed += len(chunk)
        while rest:
            if unpacker is None or unpacker.eof:
                unpacker = zlib.decompressobj(_GZIP_WINDOW)
            piece = unpacker.decompress(rest, _STEP)
            rest = unpacker.unused_data or unpacker.unconsumed_tail
            unpacked += len(piece)
            if unpacked > _UNSUSPICIOUS and unpacked > _MOST_EXPANSION * (packed - len(rest)):
                raise BodyRefused(f"the compressed body is a decompression bomb: over {_MOST_EXPANSION} times its size")
            yield piece
    if unpacker is not None:
        yield unpacker.flush()
        if not unpacker.eof:
            raise zlib.error("the compressed body is incomplete")


def as_text(body: bytes) -> str:
    """Decode UTF-8 as Go does: every invalid byte becomes one replacement character."""
    return _UNDECODABLE.sub("\ufffd", body.decode("utf-8", "surrogateescape"))
