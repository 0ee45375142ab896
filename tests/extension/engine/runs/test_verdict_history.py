from pathlib import Path

from adapter.fake import FakeGateway, reply
from adapter.port import FileRef
from extension.inspection.accounts.account import Selection, Source
from extension.inspection.settings import parse_settings
from extension.store.records import ActionOutcome
from tests.extension.engine.scenario import FILES, FlyingClock, compat_config, inspected, newest_actions, opened

REVOKED = reply(401, '{"error":{"code":"token_revoked"}}')
USAGE = reply(200, '{"rate_limit":{"primary_window":{"used_percent":5,"limit_window_seconds":18000}}}')
TEN_MINUTES = 600.0
ANNA = FileRef("anna.json")


async def recommended(path: Path, gateway: FakeGateway, clock: FlyingClock, mode: str = "none") -> dict[str, str]:
    """Inspect all files in a service of its own, as after a restart, and return what is recommended for each."""
    async with opened(path, gateway, clock=clock) as inspector:
        settings = parse_settings({"accountSource": "oauth", "targetType": "codex", "autoActionMode": mode})
        run = await inspected(inspector, settings)
        found = await inspector.history.results(run.id, 0, 10)
        return {result.display_name: result.action for result in found}


async def test_a_revoked_log_in_is_disabled_first_and_deleted_when_seen_again_ten_minutes_later(
    tmp_path: Path,
) -> None:
    gateway, clock = FakeGateway("", FILES), FlyingClock()
    gateway.script(ANNA, REVOKED)

    assert await recommended(tmp_path, gateway, clock) == {"anna@example.org": "disable"}
    await clock.advance(TEN_MINUTES - 60)
    assert await recommended(tmp_path, gateway, clock) == {"anna@example.org": "disable"}
    await clock.advance(60)
    assert await recommended(tmp_path, gateway, clock) == {"anna@example.org": "delete"}


async def test_a_log_in_that_was_well_in_between_is_not_deleted(tmp_path: Path) -> None:
    gateway, clock = FakeGateway("", FILES), FlyingClock()
    for answer in (REVOKED, USAGE):
        gateway.script(ANNA, answer)
        await recommended(tmp_path, gateway, clock)
        await clock.advance(TEN_MINUTES)
    gateway.script(ANNA, REVOKED)

    assert await recommended(tmp_path, gateway, clock) == {"anna@example.org": "disable"}


async def test_a_run_that_may_delete_does_so_only_after_the_second_sighting(tmp_path: Path) -> None:
    gateway, clock = FakeGateway(compat_config(["alpha"]), FILES), FlyingClock()
    gateway.script(ANNA, REVOKED)

    await recommended(tmp_path, gateway, clock, "delete")
    assert ANNA in {account.ref for account in (await gateway.accounts()).accounts}
    await clock.advance(TEN_MINUTES)
    await recommended(tmp_path, gateway, clock, "delete")

    left = {account.ref for account in (await gateway.accounts()).accounts}
    assert ANNA not in left
    assert len(left) == 2
    async with opened(tmp_path, gateway, clock=clock) as inspector:
        deletion, disabling = await newest_actions(inspector)
        assert (deletion.action, deletion.outcome) == ("delete", ActionOutcome.APPLIED)
        assert (disabling.action, disabling.outcome) == ("disable", ActionOutcome.APPLIED)
        assert (await inspector.listing.view(Selection(Source.OAUTH))).statistics.total == 1
