"""A pool that is read again without a change: the same accounts, and the counters of now."""

from adapter.management import ManagementConnection
from adapter.port import KeyRef, Section
from tests.adapter.management.stand_in import StandIn, claude
from tests.contract.pool import key_of

CLAUDE = "claude-api-key"


def _counted(stand_in: StandIn, number: int, failed: int) -> None:
    name = f"http://127.0.0.1:9|sk-claude-{number:05}"
    stand_in.counters = {"claude": {name: {"success": 1, "failed": failed}}}


async def test_accounts_stay_the_same_objects_until_their_section_or_counters_change(
    stand_in: StandIn, connection: ManagementConnection
) -> None:
    stand_in.sections[CLAUDE] = [claude(0), claude(1)]
    stand_in.reload()
    _counted(stand_in, 0, failed=0)
    first = await connection.gateway.accounts()
    again = await connection.gateway.accounts()
    assert all(account is other for account, other in zip(first.accounts, again.accounts, strict=True))

    _counted(stand_in, 0, failed=7)
    counted = await connection.gateway.accounts()
    assert key_of(counted, Section.CLAUDE, 0).activity.failures == 7
    assert key_of(counted, Section.CLAUDE, 1) is key_of(first, Section.CLAUDE, 1)

    stand_in.sections[CLAUDE][1]["prefix"] = "team"
    stand_in.reload()
    changed = await connection.gateway.accounts()
    before, after = key_of(first, Section.CLAUDE, 1), key_of(changed, Section.CLAUDE, 1)
    assert isinstance(after.ref, KeyRef)
    assert before.revision != after.revision
    assert key_of(changed, Section.CLAUDE, 0).activity.failures == 7
