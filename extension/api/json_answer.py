"""JSON answers that are encoded and compressed in a thread, and their entity tags."""

import asyncio
import gzip
import hashlib
from collections.abc import Callable
from typing import Final

from starlette.responses import Response

REVALIDATED: Final = {"Cache-Control": "private, no-cache"}
"""A browser may keep the answer, and asks whether it is still true."""
_FAST: Final = 1
"""Compression level: the next ones make a pool smaller by a fifth and take twice as long."""
_SMALLEST: Final = 1_000
_MOST_BODIES: Final = 8


def accepts_gzip(accept_encoding: str) -> bool:
    """Return whether a client takes compressed answers."""
    for offer in accept_encoding.lower().split(","):
        name, _, parameters = offer.partition(";")
        if name.strip() == "gzip":
            return parameters.replace(" ", "") not in {"q=0", "q=0.0", "q=0.00", "q=0.000"}
    return False


def entity_tag(*parts: str) -> str:
    """Make an entity tag of everything that an answer depends on."""
    digest = hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
    return f'"{digest[:32]}"'


def matches(if_none_match: str, tag: str) -> bool:
    """Return whether a client has the answer of this tag."""
    return any(offered_tag.strip().removeprefix("W/") == tag for offered_tag in if_none_match.split(","))


async def json_answer(encode: Callable[[], bytes], *, zipped: bool) -> Response:
    """Answer JSON that is encoded in a thread: a large pool takes longer than a turn of the loop."""
    return _response(*await asyncio.to_thread(_encoded, encode, zipped=zipped))


async def shared_answer(
    encode: Callable[[], bytes], tag: str, bodies: dict[str, "asyncio.Future[tuple[bytes, str]]"], *, zipped: bool
) -> Response:
    """Answer as `json_answer`, with a body that is made once for all readers of its tag."""
    body = bodies.get(tag)
    if body is None:
        if len(bodies) >= _MOST_BODIES:
            bodies.clear()
        body = bodies[tag] = asyncio.ensure_future(asyncio.to_thread(_encoded, encode, zipped=zipped))
        body.add_done_callback(lambda made: bodies.pop(tag, None) if made.cancelled() or made.exception() else None)
    return _response(*await asyncio.shield(body))


def _encoded(encode: Callable[[], bytes], *, zipped: bool) -> tuple[bytes, str]:
    body = encode()
    return compressed(body) if zipped else (body, "")


def _response(body: bytes, encoding: str) -> Response:
    headers = {"Vary": "Accept-Encoding"} | ({"Content-Encoding": encoding} if encoding else {})
    return Response(body, media_type="application/json", headers=headers)


def compressed(body: bytes) -> tuple[bytes, str]:
    """Return a body as it is sent to a client that takes compressed answers, and its encoding; empty: as it is."""
    if len(body) < _SMALLEST:
        return body, ""
    return gzip.compress(body, _FAST, mtime=0), "gzip"
