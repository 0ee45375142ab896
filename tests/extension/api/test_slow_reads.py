"""The limit of reads that take long: few are under way at once."""

from extension.api.read_limit import MOST_UNDER_WAY
from tests.extension.api.test_read_limit import end, limited, settled


async def test_few_slow_reads_are_under_way_at_once_and_the_others_wait_or_are_refused() -> None:
    clock, inside, asking = limited(seconds=30.0)
    for number in range(100):
        asking.ask(caller=f"reader-{number}")
    await settled()
    assert len(inside.answered) == MOST_UNDER_WAY

    await clock.advance(10.0)
    await settled()
    assert (len(inside.answered), asking.count(429)) == (MOST_UNDER_WAY, 100 - MOST_UNDER_WAY)

    await clock.advance(20.0)
    await settled()
    asking.ask()
    await settled()
    await clock.advance(1.9)
    await settled()
    assert len(inside.answered) == MOST_UNDER_WAY + 1, "the places of reads that have ended are free"
    await end(asking)
