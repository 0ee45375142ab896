import asyncio
import gzip
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from adapter.contract.expectations import own
from adapter.fake import FakeConnection
from extension.plugin.asgi import BODY_LIMIT, AsgiCaller
from extension.plugin.scope import header_of
from extension.plugin.v1.plugin_pb2 import ACCESS_GUARDED, ACCESS_OPEN, Access, Header, HttpRequest, HttpResponse
from extension.serving.composition import compose
from extension.serving.web.lifespan import lifespan_of

ODD_JSON = b'{"b": "<b>&\\"\'", "a": 1, "a": 2}'
EVENT_STREAM = {"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/event-stream")]}
STOCK_BASE = "/v0/resource/plugins/poolkeeper"


def request(path: str = "/x", *, body: bytes = b"", access: Access = ACCESS_GUARDED, **headers: str) -> HttpRequest:
    named = [Header(name=name.replace("_", "-"), values=[value]) for name, value in headers.items()]
    return HttpRequest(method="POST", path=path, query="a=1", headers=named, body=body, access=access)


async def whole(application: ASGIApp, sent: HttpRequest, *, raw_json: bool = True, seconds: float = 5) -> HttpResponse:
    return await AsgiCaller(application, STOCK_BASE, raw_json).whole(sent, seconds)


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    message = await receive()
    seen = f"{scope['path']} {scope['extensions']} {dict(scope['headers'])} {len(message['body'])}"
    await Response(seen, headers={"X-Seen": "yes"})(scope, receive, send)


async def odd_json(scope: Scope, receive: Receive, send: Send) -> None:
    await Response(ODD_JSON, media_type="application/json")(scope, receive, send)


async def test_a_guarded_request_is_marked_as_admitted_and_carries_no_key() -> None:
    answer = await whole(echo, request(Authorization="Bearer sesame", X_Management_Key="sesame", X_Other="1"))

    assert answer.status == 200
    assert b"poolkeeper.admitted" in answer.body
    assert b"sesame" not in answer.body
    assert b"x-other" in answer.body
    assert header_of(answer, "x-seen") == "yes"


async def test_an_open_request_is_not_admitted() -> None:
    assert b"poolkeeper.admitted" not in (await whole(echo, request(access=ACCESS_OPEN))).body


@pytest.mark.parametrize(
    ("path", "known"),
    [
        (f"{STOCK_BASE}/inspection", b"/monitor/inspection "),
        (f"{STOCK_BASE}/static/app.js", b"/monitor/static/app.js "),
        ("/v0/management/poolkeeper/info", b"/v0/management/poolkeeper/info "),
    ],
)
async def test_pages_of_the_host_are_known_by_their_own_paths(path: str, known: bytes) -> None:
    assert (await whole(echo, request(path))).body.startswith(known)


async def test_a_body_above_the_limit_is_refused_with_json() -> None:
    answer = await whole(echo, request(body=b"x" * (BODY_LIMIT + 1)))

    assert (answer.status, b'"too_large"' in answer.body) == (413, True)


async def test_an_answer_that_takes_too_long_is_ended() -> None:
    ended = asyncio.Event()

    async def hangs(_scope: Scope, _receive: Receive, _send: Send) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    answer = await whole(hangs, request(), seconds=0.01)

    assert (answer.status, b'"too_late"' in answer.body, ended.is_set()) == (504, True, True)


async def test_a_stream_is_refused_at_once_where_answers_are_whole() -> None:
    async def stream(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send(EVENT_STREAM)
        await asyncio.Event().wait()

    answer = await whole(stream, request())

    assert (answer.status, b'"no_stream"' in answer.body) == (406, True)


async def test_a_stream_is_refused_also_where_the_application_answers_errors_itself() -> None:
    failures: list[Exception] = []

    async def stream(_scope: Scope, _receive: Receive, send: Send) -> None:
        try:
            await send(EVENT_STREAM)
        except Exception as error:  # noqa: BLE001 - as the interface does
            failures.append(error)

    answer = await whole(stream, request())

    assert (answer.status, b'"no_stream"' in answer.body, failures) == (406, True, [])


async def test_no_session_is_opened_where_the_key_is_sent_with_each_request(tmp_path: Path) -> None:
    application = compose(FakeConnection(), {"POOLKEEPER_DATA_DIR": str(tmp_path), "POOLKEEPER_LOG_LEVEL": "error"})
    sent = request(own("info/session"), body=b'{"key": "management-key"}', Content_Type="application/json")
    async with lifespan_of(application, {"type": "lifespan", "state": {}}):
        answer = await whole(application, sent)

    content = json.loads(answer.body)
    assert (answer.status, content["code"]) == (409, "no_sessions")
    assert content["hint"] == "Send the management key with each request."
    assert not header_of(answer, "set-cookie")
    assert not (tmp_path / "sessions.json").exists()


async def test_the_information_names_the_page_where_the_host_has_it(tmp_path: Path) -> None:
    application = compose(FakeConnection(), {"POOLKEEPER_DATA_DIR": str(tmp_path), "POOLKEEPER_LOG_LEVEL": "error"})
    sent = HttpRequest(method="GET", path=own("info"), access=ACCESS_GUARDED)
    async with lifespan_of(application, {"type": "lifespan", "state": {}}):
        answer = await whole(application, sent)

    assert json.loads(answer.body)["page"] == f"{STOCK_BASE}/inspection"


async def test_no_answer_at_all_is_an_error_of_its_own() -> None:
    async def silent(_scope: Scope, _receive: Receive, _send: Send) -> None:
        return

    assert (await whole(silent, request())).status == 500


async def test_a_stream_is_passed_on_piece_by_piece_and_ends_with_its_reader() -> None:
    ended = asyncio.Event()

    async def stream(_scope: Scope, _receive: Receive, send: Send) -> None:
        try:
            await send(
                {"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/event-stream")]}
            )
            await send({"type": "http.response.body", "body": b"one", "more_body": True})
            await asyncio.Event().wait()
        finally:
            ended.set()

    pieces = AsgiCaller(stream).pieces(request())
    head, first = await anext(pieces), await anext(pieces)
    await pieces.aclose()

    assert (head.head.status, first.data, ended.is_set()) == (200, b"one", True)


async def test_an_unexpected_error_is_one_answer() -> None:
    async def breaks(_scope: Scope, _receive: Receive, _send: Send) -> None:
        raise ValueError("secret detail")

    answer = await whole(breaks, request())
    parts = [part async for part in AsgiCaller(breaks).pieces(request())]

    assert (answer.status, b"secret detail" in answer.body) == (500, False)
    assert parts[0].head.status == 500


@pytest.mark.parametrize(
    ("accepted", "compressed"),
    [("gzip", True), ("br, gzip;q=0.5", True), ("*", True), ("gzip;q=0", False), ("identity", False), ("", False)],
)
async def test_json_is_compressed_for_hosts_that_would_rewrite_it(accepted: str, *, compressed: bool) -> None:
    answer = await whole(odd_json, request(Accept_Encoding=accepted), raw_json=False)

    assert (header_of(answer, "content-encoding") == "gzip") is compressed
    assert (gzip.decompress(answer.body) if compressed else answer.body) == ODD_JSON


async def test_json_goes_as_it_is_to_hosts_that_leave_it_alone() -> None:
    assert (await whole(odd_json, request(Accept_Encoding="gzip"))).body == ODD_JSON


@given(st.binary(max_size=200))
async def test_what_is_compressed_is_the_same_when_decompressed(body: bytes) -> None:
    async def answers(scope: Scope, receive: Receive, send: Send) -> None:
        await Response(body)(scope, receive, send)

    answer = await whole(answers, request(Accept_Encoding="gzip"), raw_json=False)
    coded: Sequence[str] = header_of(answer, "content-encoding").split()
    assert (gzip.decompress(answer.body) if coded else answer.body) == body


async def test_the_event_stream_of_the_service_is_refused_where_answers_are_whole(tmp_path: Path) -> None:
    application = compose(FakeConnection(), {"POOLKEEPER_DATA_DIR": str(tmp_path / "data")}, authority=lambda: None)
    sent = request(own("inspections/events"), Accept="text/event-stream")
    sent.method, sent.query, sent.remote_address = "GET", "", "127.0.0.1:1"

    async with lifespan_of(application, {"type": "lifespan", "state": {}}):
        answer = await whole(application, sent)

    assert (answer.status, json.loads(answer.body)["code"]) == (406, "no_stream")
