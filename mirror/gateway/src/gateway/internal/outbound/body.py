"""Reading an upstream's body, decoded and bounded."""

import re
import zlib
from collections.abc import AsyncIterator

_GZIP_WINDOW = 16 + zlib.MAX_WBITS
_UNDECODABLE = re.compile("[\udc80-\udcff]")
_STEP = 64 * 1024


async def read_body(chunks: AsyncIterator[bytes], *, gzipped: bool, limit: int | None) -> tuple[bytes, bool]:
    """Read up to ``limit`` bytes, counted after decompression; return them and whether there were more.

    Raises:
        zlib.error: What came is not what ``gzipped`` promised.
    """
    body = bytearray()
    async for piece in _unpacked(chunks) if gzipped else chunks:
        body += piece
        if limit is not None and len(body) > limit:
            return bytes(body[:limit]), True
    return bytes(body), False


async def _unpacked(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Decompress in small steps, so that a small answer cannot fill the memory. An empty body stays empty."""
    unpacker = None
    async for chunk in chunks:
        rest = chunk
        while rest:
            if unpacker is None or unpacker.eof:
                unpacker = zlib.decompressobj(_GZIP_WINDOW)
            yield unpacker.decompress(rest, _STEP)
            rest = unpacker.unused_data or unpacker.unconsumed_tail
    if unpacker is not None:
        yield unpacker.flush()
        if not unpacker.eof:
            raise zlib.error("the compressed body is incomplete")


def as_text(body: bytes) -> str:
    """Decode UTF-8 as Go does: every byte that does not fit becomes one replacement character."""
    return _UNDECODABLE.sub("\ufffd", body.decode("utf-8", "surrogateescape"))
