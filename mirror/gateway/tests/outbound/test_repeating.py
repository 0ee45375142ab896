import pytest

from gateway.internal.outbound.client import Outbound
from gateway.internal.outbound.failure import FailureKind
from gateway.internal.outbound.redirects import Hop
from tests.loopback import answer, upstream
from tests.outbound.sending import failure, get


async def test_a_request_that_got_no_answer_on_a_fresh_connection_is_not_sent_again(outbound: Outbound) -> None:
    async with upstream(lambda _: b"") as provider:
        failed = await failure(outbound, get(provider.url))
    assert (failed.kind, failed.stale) == (FailureKind.CONNECT, False)
    assert len(provider.received) == 1


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
async def test_a_request_is_not_sent_again_when_a_kept_connection_was_closed_under_it(
    outbound: Outbound, method: str
) -> None:
    replies = iter([answer(), b"", answer(body=b"there")])

    async with upstream(lambda _: next(replies)) as provider:
        hop = Hop(method, provider.url)
        await outbound.send(hop)
        failed = await failure(outbound, hop)
        assert (failed.kind, failed.stale, failed.reading) == (FailureKind.CONNECT, True, False)
        assert "was not sent again" in failed.detail
        assert (await outbound.send(hop)).body == b"there"
    assert len(provider.received) == 3
