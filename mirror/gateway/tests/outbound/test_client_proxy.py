import pytest

from gateway.internal.outbound.client import Outbound
from gateway.internal.outbound.failure import FailureKind
from tests.loopback import answer, socks_proxy, upstream
from tests.outbound.sending import failure, free_port, get, proxy


async def test_an_http_proxy_gets_the_whole_address(outbound: Outbound) -> None:
    async with upstream(lambda _: answer(body=b"via")) as middle:
        got = await outbound.send(get("http://far.invalid/x"), proxy=proxy(f"http://u:p@127.0.0.1:{middle.port}"))
    assert got.body == b"via"
    assert middle.received[0].target == "http://far.invalid/x"
    assert middle.received[0].headers["proxy-authorization"].startswith("Basic ")


@pytest.mark.parametrize("scheme", ["socks5", "socks5h"])
async def test_a_socks_proxy_resolves_the_name(outbound: Outbound, scheme: str) -> None:
    async with upstream(lambda _: answer(body=b"via")) as provider, socks_proxy(provider.port) as middle:
        for _ in range(2):
            got = await outbound.send(get("http://far.invalid/x"), proxy=proxy(f"{scheme}://127.0.0.1:{middle.port}"))
        await outbound.close()
    assert (got.body, middle.asked) == (b"via", ["far.invalid"])


@pytest.mark.parametrize("scheme", ["http", "socks5"])
async def test_a_dead_proxy_is_the_proxys_fault(outbound: Outbound, scheme: str) -> None:
    failed = await failure(
        outbound, get("http://far.invalid/"), proxy=proxy(f"{scheme}://user:hunter2@127.0.0.1:{free_port()}")
    )
    assert failed.kind is FailureKind.PROXY
    assert "hunter2" not in str(failed)


async def test_the_environment_chooses_no_proxy(outbound: Outbound, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{free_port()}")
    async with upstream(lambda _: answer()) as provider:
        assert (await outbound.send(get(provider.url))).status == 200
