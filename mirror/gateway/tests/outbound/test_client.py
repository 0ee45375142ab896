import asyncio
import errno
import gzip
import os

import pytest

from gateway.internal.outbound.client import Outbound
from gateway.internal.outbound.failure import FailureKind, explain
from gateway.internal.outbound.redirects import Hop
from tests.loopback import Received, answer, upstream
from tests.outbound.sending import failure, free_port, get


async def test_status_headers_and_body_come_back(outbound: Outbound) -> None:
    async with upstream(lambda _: answer(418, b"short", x_request_id="7", Set_Cookie="a=b")) as provider:
        got = await outbound.send(get(f"{provider.url}/v1/models?limit=5"))
    assert (got.status, got.body, got.truncated) == (418, b"short", False)
    assert got.header == {"Content-Length": ("5",), "Set-Cookie": ("a=b",), "X-Request-Id": ("7",)}
    assert provider.received[0].target == "/v1/models?limit=5"


async def test_the_request_carries_only_what_was_asked_for(outbound: Outbound) -> None:
    async with upstream(lambda _: answer()) as provider:
        hop = Hop("POST", f"{provider.url}/x", {"Authorization": "Bearer k", "Host": "front.example"}, b"hello")
        await outbound.send(hop)
    assert provider.received[0].headers == {
        "accept-encoding": "gzip",
        "authorization": "Bearer k",
        "content-length": "5",
        "host": "front.example",
        "user-agent": provider.received[0].headers["user-agent"],
    }
    assert provider.received[0].body == b"hello"


async def test_a_compressed_body_is_unpacked_and_its_headers_adjusted(outbound: Outbound) -> None:
    async with upstream(lambda _: answer(200, gzip.compress(b"plain"), Content_Encoding="gzip")) as provider:
        got = await outbound.send(get(provider.url))
    assert (got.body, dict(got.header)) == (b"plain", {})


async def test_who_asks_for_an_encoding_gets_it_untouched(outbound: Outbound) -> None:
    packed = gzip.compress(b"plain")
    async with upstream(lambda _: answer(200, packed, Content_Encoding="gzip")) as provider:
        got = await outbound.send(get(provider.url, Accept_Encoding="gzip"))
    assert (got.body, got.header["Content-Encoding"]) == (packed, ("gzip",))


async def test_a_body_over_the_limit_is_cut(outbound: Outbound) -> None:
    async with upstream(lambda _: answer(200, b"x" * 5_000_000)) as provider:
        got = await outbound.send(get(provider.url), limit=1000)
    assert (len(got.body), got.truncated) == (1000, True)


async def test_a_redirect_to_another_port_leaves_the_credentials_behind(outbound: Outbound) -> None:
    async with upstream(lambda _: answer(body=b"there")) as other:

        def script(request: Received) -> bytes:
            return answer(302, Location=f"{other.url}/next") if request.target == "/first" else answer()

        async with upstream(script) as provider:
            hop = Hop(
                "GET",
                f"{provider.url}/first",
                {"Authorization": "Bearer k", "X-Mine": "k", "X-Plain": "p"},
                secret_names=frozenset({"x-mine"}),
            )
            got = await outbound.send(hop)
    assert got.body == b"there"
    assert provider.received[0].headers["x-mine"] == "k"
    assert other.received[0].headers["x-plain"] == "p"
    assert not {"authorization", "x-mine"} & other.received[0].headers.keys()


async def test_endless_redirects_end_after_ten_requests(outbound: Outbound) -> None:
    async with upstream(lambda _: answer(302, Location="/again")) as provider:
        failed = await failure(outbound, get(provider.url))
    assert failed.detail == "stopped after 10 redirects"
    assert len(provider.received) == 10


async def test_a_refused_connection(outbound: Outbound) -> None:
    failed = await failure(outbound, get(f"http://127.0.0.1:{free_port()}/?key=hidden"))
    assert (failed.kind, failed.detail) == (FailureKind.CONNECT, "connection refused")


async def test_a_body_that_breaks_off(outbound: Outbound) -> None:
    async with upstream(lambda _: b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort") as provider:
        provider.hang_up = True
        failed = await failure(outbound, get(provider.url))
    assert (failed.kind, failed.reading) == (FailureKind.CONNECT, True)


async def test_something_that_is_not_http(outbound: Outbound) -> None:
    async with upstream(lambda _: b"SSH-2.0-Dropbear\r\n\r\n") as provider:
        failed = await failure(outbound, get(provider.url))
    assert (failed.kind, failed.detail) == (FailureKind.UNKNOWN, "the answer is not HTTP")


async def test_a_header_value_with_a_line_break_is_not_sent(outbound: Outbound) -> None:
    async with upstream(lambda _: answer()) as provider:
        failed = await failure(outbound, get(provider.url, X_A="1\r\nX-B: 2"))
    assert (failed.kind, provider.received) == (FailureKind.UNKNOWN, [])


async def test_cancelling_hangs_up(outbound: Outbound) -> None:
    async with upstream(lambda _: None) as provider:
        call = asyncio.create_task(outbound.send(get(provider.url)))
        await provider.waiting.wait()
        call.cancel()
        await asyncio.wait_for(provider.hung_up.wait(), 5)
    assert call.cancelled()


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS])
def test_what_the_gateway_itself_lacks_is_no_fault_of_the_upstream(number: int) -> None:
    failed = explain(OSError(number, "x"))
    assert failed.kind is FailureKind.UNKNOWN
    assert failed.detail == f"the gateway itself lacks resources: {os.strerror(number).lower()}"
