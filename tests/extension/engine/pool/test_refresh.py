"""An account that goes by another name since its run began is found again by one more listing, and probed."""

from collections.abc import Callable
from pathlib import Path

import pytest

from adapter.clock import FakeClock
from adapter.fake import FakeGateway, UpstreamRequest, reply
from adapter.port import Answer, Pool, errors
from extension.engine.pool.listing import PAUSE_SECONDS, PoolRefresh
from extension.store.run_state import RunState
from tests.extension.engine.scenario import HEALTHY, fleet, inspected, newest_actions, opened, settings


class Counted(FakeGateway):
    """A fake that counts listings, and edits its configuration before its first call."""

    listings = 0
    edited = False

    async def accounts(self) -> Pool:
        self.listings += 1
        return await super().accounts()

    def edit_once(self, change: Callable[[str], str]) -> None:
        """Let every upstream answer well, and the first of them change the configuration before."""

        def upstream(_: UpstreamRequest) -> Answer:
            if not self.edited:
                self.edited = True
                self.state.replace_text(change(self.state.text))
            return HEALTHY

        self.upstream = upstream


def prefixed(text: str) -> str:
    """Give every key a prefix: what names a key in the gateway is made from that too."""
    return text.replace("    base-url:", "    prefix: team\n    base-url:")


async def test_keys_that_go_by_another_name_in_mid_run_are_listed_once_more_and_probed(tmp_path: Path) -> None:
    gateway = Counted(fleet({"calm": 100}))
    gateway.edit_once(prefixed)
    async with opened(tmp_path, gateway) as inspector:
        run = await inspected(inspector, settings(workers=8))
        assert (run.state, run.verdicts) == (RunState.FINISHED, {"healthy": 100})
        assert gateway.listings == 2


async def test_what_is_done_about_a_key_rests_on_the_state_it_was_probed_in(tmp_path: Path) -> None:
    gateway = Counted(fleet({"refusing": 3}))
    gateway.edit_once(prefixed)
    edit = gateway.upstream

    def refused(request: UpstreamRequest) -> Answer:
        edit(request)
        return reply(401)

    gateway.upstream = refused
    async with opened(tmp_path, gateway) as inspector:
        chosen = settings(workers=1, autoActionMode="disable", brake=False)
        await inspected(inspector, chosen)
        made = {action.account_id: action.outcome.value for action in await newest_actions(inspector)}
        # the first was probed before the edit, so that the gateway's state is not the one its probe saw
        assert sorted(made.values()) == ["applied", "applied", "conflict"]


async def test_a_key_that_is_gone_stays_unknown_and_is_never_a_reason_to_act(tmp_path: Path) -> None:
    gateway = Counted(fleet({"calm": 10}))
    gateway.edit_once(lambda text: text[: text.index("  - api-key: sk-ant-calm-0005")])
    async with opened(tmp_path, gateway) as inspector:
        run = await inspected(inspector, settings(workers=1, autoActionMode="disable"))
        assert run.verdicts == {"healthy": 5, "unknown": 5}
        assert {result.action for result in await inspector.history.results(run.id)} == {"keep"}
        assert gateway.listings == 2
    assert not gateway.writes


async def test_a_pool_that_cannot_be_read_again_leaves_the_key_unknown_and_the_next_pause_reads_it_anew(
    tmp_path: Path,
) -> None:
    gateway, clock = Counted(fleet({"calm": 1})), FakeClock()
    async with opened(tmp_path, gateway, clock=clock) as inspector:
        (credential,) = (await inspector.listing.read()).accounts.values()
        refresh = PoolRefresh(inspector.listing, clock)
        gateway.fail("accounts", errors.Unavailable("It starts."))
        assert await refresh(credential) is None
        assert await refresh(credential) is None
        await clock.advance(PAUSE_SECONDS)
        assert await refresh(credential) == credential
        gateway.fail("accounts", errors.Unauthorised("The key is refused."))
        await clock.advance(PAUSE_SECONDS)
        with pytest.raises(errors.Unauthorised):
            await refresh(credential)
