"""Translation between the messages of the contract and those of ASGI."""

from typing import Final
from urllib.parse import unquote

from starlette.types import Message, Scope

from extension.api.auth.authenticator import ADMITTED_BY_HOST
from extension.api.problems import Problem
from extension.api.service import PAGE_OF_HOST
from extension.plugin.routes import own_path, page_path
from extension.plugin.v1.plugin_pb2 import ACCESS_GUARDED, Header, HttpRequest, HttpResponse

_OF_THE_CONNECTION: Final = frozenset({b"connection", b"content-length", b"keep-alive", b"transfer-encoding"})
_OF_THE_HOST: Final = frozenset({"authorization", "x-management-key", "content-length", "transfer-encoding"})
"""The host has judged the key; the application has no use for it."""


def scope_of(request: HttpRequest, resource_base: str) -> Scope:
    """Return the scope of a request; one that the host has admitted says so."""
    guarded = request.access == ACCESS_GUARDED
    path = own_path(request.path, resource_base)
    named = ((header.name.lower(), value) for header in request.headers for value in header.values)
    headers = [
        (name.encode("latin-1"), value.encode("latin-1", "replace"))
        for name, value in named
        if not (guarded and name in _OF_THE_HOST)
    ]
    headers.append((b"content-length", str(len(request.body)).encode()))
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": request.scheme or "http",
        "path": unquote(path),
        "raw_path": path.encode("latin-1", "replace"),
        "query_string": request.query.encode("latin-1", "replace"),
        "root_path": "",
        "headers": headers,
        "client": _address(request.remote_address),
        "server": _address(request.host),
        "state": {},
        "extensions": {PAGE_OF_HOST: {"path": page_path(resource_base)}, **({ADMITTED_BY_HOST: {}} if guarded else {})},
    }


def head_of(message: Message) -> HttpResponse:
    """Return status and headers of an answer that begins."""
    grouped: dict[str, list[str]] = {}
    for name, value in message.get("headers", ()):
        if name.lower() not in _OF_THE_CONNECTION:
            grouped.setdefault(name.decode("latin-1"), []).append(value.decode("latin-1"))
    return HttpResponse(
        status=message["status"], headers=[Header(name=name, values=values) for name, values in grouped.items()]
    )


def refusal(problem: Problem) -> HttpResponse:
    """Return an error answer."""
    answer = problem.answer()
    head = head_of({"status": answer.status_code, "headers": answer.raw_headers})
    head.body = bytes(answer.body)
    return head


def header_of(message: HttpRequest | HttpResponse, name: str) -> str:
    """Return the values of a header, with commas between; empty when there is none."""
    return ", ".join(value for header in message.headers if header.name.lower() == name for value in header.values)


def _address(text: str) -> tuple[str, int] | None:
    host, _, port = text.rpartition(":")
    return (host.strip("[]"), int(port)) if host and port.isdecimal() else None
