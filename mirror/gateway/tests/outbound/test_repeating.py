import pytest

from gateway.internal.outbound.client import Outbound
from gateway.internal.outbound.failure import FailureKind
from tests.loopback import Received, answer, upstream
from tests.outbound.sending import failure, get


async def test_a_request_that_got_no_answer_on_a_fresh_connection_is_not_sent_again(outbound: Outbound) -> None:
    async with upstream(lambda _: b"") as provider:
        failed = await failure(outbound, get(provider.url))
    assert failed.kind is FailureKind.CONNECT
    assert len(provider.received) == 1


@pytest.mark.parametrize("last", [b"", answer(body=b"there")])
async def test_a_kept_connection_that_was_closed_meanwhile_costs_one_repetition(
    outbound: Outbound, last: bytes
) -> None:
    replies = iter([answer(), b"", last])

    def script(_: Received) -> bytes:
        return next(replies)

    async with upstream(script) as provider:
        await outbound.send(get(provider.url))
        if last:
            got = await outbound.send(get(provider.url))
            assert got.body == b"there"
        else:
            assert (await failure(outbound, get(provider.url))).kind is FailureKind.CONNECT
    assert len(provider.received) == 3
