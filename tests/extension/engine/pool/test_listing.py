from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from adapter.clock import FakeClock
from adapter.fake import FakeGateway, UpstreamRequest, reply
from adapter.port import Answer, Pool, Skipped, errors
from extension.engine.pool.listed_account import SkippedEntry
from extension.engine.pool.listing import PAUSE_SECONDS, PoolRefresh
from extension.inspection.accounts.account import Selection, Source
from extension.inspection.accounts.families import Family
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database
from extension.store.pool import warnings
from extension.store.records import EventKind
from extension.store.run_state import RunState
from tests.extension.engine.scenario import (
    FILES,
    HEALTHY,
    WatchedGateway,
    all_events,
    compat_config,
    fleet,
    inspected,
    key_of,
    newest_actions,
    numbers,
    opened,
    settings,
)

VENDOR_B = "claude-api-key:\n  - api-key: sk-ant-0123456789\n    base-url: http://b.example\n"


def a_gateway() -> FakeGateway:
    return FakeGateway(compat_config(["alpha", "beta"]) + VENDOR_B, FILES)


async def test_the_pool_is_shown_by_source_family_and_filter(tmp_path: Path) -> None:
    async with opened(tmp_path, a_gateway()) as inspector:

        async def shown(source: Source, family: str = "all", text: str = "") -> list[str]:
            view = await inspector.listing.view(Selection(source, family, text))
            assert view.statistics.total == len(view.accounts)
            return sorted(
                account.facts.compat_name or account.facts.family or account.facts.file_name
                for account in view.accounts
            )

        assert await shown(Source.API_KEY) == ["alpha", "beta", "vendor-b-apikey"]
        assert await shown(Source.API_KEY, Family.COMPAT) == ["alpha", "beta"]
        assert await shown(Source.API_KEY, Family.VENDOR_B) == ["vendor-b-apikey"]
        assert await shown(Source.API_KEY, "all", "ALPHA.example") == ["alpha"]
        assert await shown(Source.OAUTH) == ["anna.json", "ben.json"]
        assert await shown(Source.OAUTH, "codex") == ["anna.json"]


async def test_every_account_has_a_place_that_the_filter_finds(tmp_path: Path) -> None:
    second = f"{compat_config(['alpha'])}      - api-key: {key_of('second')}\n"
    async with opened(tmp_path, FakeGateway(second + VENDOR_B, FILES)) as inspector:

        async def places(source: Source, text: str = "") -> list[str]:
            return sorted(
                account.facts.place
                for account in (await inspector.listing.view(Selection(source, "all", text))).accounts
            )

        keys = ["openai-compatibility[0].api-key-entries[0]", "openai-compatibility[0].api-key-entries[1]"]
        assert await places(Source.API_KEY) == ["claude-api-key[0]", *keys]
        assert await places(Source.API_KEY, "compatibility[0].api-key-entries[1]") == keys[1:]
        assert await places(Source.OAUTH) == ["anna.json", "ben.json"]


async def test_numbers_stay_when_the_service_starts_again_and_the_order_changes(tmp_path: Path) -> None:
    gateway = a_gateway()
    async with opened(tmp_path, gateway) as inspector:
        before = await numbers(inspector)
    gateway.state.replace_text(VENDOR_B + compat_config(["gamma", "beta", "alpha"]))
    async with opened(tmp_path, gateway) as inspector:
        after = await numbers(inspector)
    assert {name: after[name] for name in before} == before
    assert set(after) - set(before) == {"gamma"}


async def test_a_reading_that_finds_everything_as_it_was_writes_nothing(tmp_path: Path) -> None:
    async with opened(tmp_path, a_gateway()) as inspector:
        await inspector.listing.view(Selection(Source.API_KEY))
        log = await all_events(inspector)
        assert [event.kind for event in log] == [EventKind.POOL]
        await inspector.listing.view(Selection(Source.OAUTH))
        assert await all_events(inspector) == log


async def test_an_entry_without_an_index_is_skipped_with_a_warning(tmp_path: Path) -> None:
    class Skipping(FakeGateway):
        async def accounts(self) -> Pool:
            skipped = (Skipped(f"odd {key_of('odd')}", "it has no auth_index"),)
            return replace(await super().accounts(), skipped=skipped)

    async with opened(tmp_path / "data", Skipping(compat_config(["alpha"]))) as inspector:
        view = await inspector.listing.view(Selection(Source.API_KEY))
        await inspector.listing.view(Selection(Source.API_KEY))
    assert view.skipped == (SkippedEntry("odd \u2022\u2022\u2022\u2022", "it has no auth_index"),)
    with DataFolder.open(tmp_path / "data") as folder:
        database = await Database.open(folder)
        (warning,) = await database.read(warnings.of_pool, 1)
        await database.close()
    assert (warning.kind, warning.subject, warning.text, warning.times) == (
        "skipped-entry",
        view.skipped[0].name,
        "it has no auth_index",
        2,
    )


async def test_a_name_that_is_a_key_is_never_shown(tmp_path: Path) -> None:
    text = compat_config(["alpha"]).replace("name: alpha", f"name: {key_of('alpha')}")
    async with opened(tmp_path, FakeGateway(text)) as inspector:
        (account,) = (await inspector.listing.view(Selection(Source.API_KEY))).accounts
    assert key_of("alpha") not in repr(account)
    assert "0123456789" not in repr(account)


async def test_user_information_and_query_of_a_base_address_are_not_kept(tmp_path: Path) -> None:
    text = compat_config(["alpha"]).replace("http://alpha.example/v1", "http://me:hidden@alpha.example/v1?key=hidden")
    async with opened(tmp_path, FakeGateway(text)) as inspector:
        (account,) = (await inspector.listing.view(Selection(Source.API_KEY))).accounts
    assert account.facts.base_url == "http://alpha.example/v1"
    assert "hidden" not in repr(account)


async def test_numbers_stay_while_accounts_come_move_and_go_between_readings(tmp_path: Path) -> None:
    gateway = a_gateway()
    async with opened(tmp_path, gateway) as inspector:
        first = await numbers(inspector)
        gateway.state.replace_text(VENDOR_B + compat_config(["gamma", "beta", "alpha"]))
        second = await numbers(inspector)
        gateway.state.replace_text(compat_config(["beta"]))
        third = await numbers(inspector)
        gateway.state.replace_text(compat_config(["alpha", "beta"]) + VENDOR_B)
        assert await numbers(inspector) == first
    assert set(second) - set(first) == {"gamma"}
    assert {name: second[name] for name in first} == first
    assert third["beta"] == first["beta"]
    assert "alpha" not in third


class Counted(WatchedGateway):
    """A gateway that edits its configuration before its first call."""

    edited = False

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
        assert gateway.readings == 2


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
        assert gateway.readings == 2
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
