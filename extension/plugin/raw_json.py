"""JSON that arrives byte by byte: hosts below plugin schema 6 parse and rewrite whatever looks like JSON.

The stock gateway at 7.2.140 escapes `<`, `>` and `&` in a body that is JSON, sorts its keys and drops duplicates. A
compressed body passes as it is. Answers to clients that take no gzip are the library's part in such a host: see
`shim/src/relay/rewriting.rs`.
"""

import gzip
from typing import Final

from extension.plugin.scope import header_of
from extension.plugin.v1.plugin_pb2 import Header, HttpRequest, HttpResponse

SCHEMA: Final = 6
"""First schema whose hosts leave JSON alone."""
_LEVEL: Final = 5


def protected(answer: HttpResponse, request: HttpRequest) -> HttpResponse:
    """Return an answer with its JSON compressed, where the client accepts that; any other as it is."""
    if not _looks_like_json(answer.body) or header_of(answer, "content-encoding") or not _accepts_gzip(request):
        return answer
    answer.body = gzip.compress(answer.body, _LEVEL, mtime=0)
    answer.headers.append(Header(name="content-encoding", values=["gzip"]))
    answer.headers.append(Header(name="vary", values=["Accept-Encoding"]))
    return answer


def _looks_like_json(body: bytes) -> bool:
    return body.lstrip()[:1] in {b"{", b"["}


def _accepts_gzip(request: HttpRequest) -> bool:
    for item in header_of(request, "accept-encoding").split(","):
        coding, *parameters = (part.strip().lower() for part in item.split(";"))
        if coding in {"gzip", "*"}:
            return not any(
                parameter.replace(" ", "") in {"q=0", "q=0.0", "q=0.00", "q=0.000"} for parameter in parameters
            )
    return False
