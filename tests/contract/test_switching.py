import asyncio

import pytest
import yaml

from adapter.port import (
    Account,
    Applied,
    Before,
    Change,
    Conflict,
    FileRef,
    KeyRef,
    Missing,
    Pool,
    Refused,
    Revision,
    Section,
    Unchanged,
)
from tests.contract.pool import compat, file_of, key_of
from tests.contract.stage import Stage


def _providers(stage: Stage) -> dict[str, dict[str, object]]:
    return {entry["name"]: entry for entry in yaml.safe_load(stage.text())["openai-compatibility"]}


def _claude(stage: Stage, number: int) -> dict[str, object]:
    entry: dict[str, object] = yaml.safe_load(stage.text())["claude-api-key"][number]
    return entry


async def test_disabling_a_key_adds_the_pattern_that_excludes_every_model(stage: Stage) -> None:
    account = key_of(await stage.gateway.accounts(), Section.CLAUDE)
    (outcome,) = await stage.gateway.set_disabled([Change(account.ref, disabled=True, expect=account.revision)])
    assert isinstance(outcome, Applied)
    assert outcome.before == Before(disabled=False)
    assert _claude(stage, 0)["excluded-models"] == ["*"]
    after = key_of(await stage.gateway.accounts(), Section.CLAUDE)
    assert (after.enabled, after.listed, after.revision) == (False, True, outcome.revision)


async def test_a_key_with_patterns_keeps_them_both_ways(stage: Stage) -> None:
    account = key_of(await stage.gateway.accounts(), Section.CLAUDE, 1)
    (off,) = await stage.gateway.set_disabled([Change(account.ref, disabled=True)])
    assert isinstance(off, Applied)
    assert off.before == Before(disabled=False, excluded_models=("claude-3-*",))
    assert _claude(stage, 1)["excluded-models"] == ["claude-3-*", "*"]
    (on,) = await stage.gateway.set_disabled([Change(account.ref, disabled=False, expect=off.revision)])
    assert isinstance(on, Applied)
    assert on.before == Before(disabled=True, excluded_models=("claude-3-*", "*"))
    assert _claude(stage, 1)["excluded-models"] == ["claude-3-*"]


async def test_enabling_a_key_without_other_patterns_leaves_none(stage: Stage) -> None:
    account = key_of(await stage.gateway.accounts(), Section.CLAUDE, 2)
    (outcome,) = await stage.gateway.set_disabled([Change(account.ref, disabled=False)])
    assert isinstance(outcome, Applied)
    assert not _claude(stage, 2).get("excluded-models")
    assert key_of(await stage.gateway.accounts(), Section.CLAUDE, 2).enabled is True


@pytest.mark.parametrize("name", ["solo", "local", "spare"])
async def test_disabling_a_provider_with_fewer_than_two_keys_hides_its_account(stage: Stage, name: str) -> None:
    account = compat(await stage.gateway.accounts(), name)
    (outcome,) = await stage.gateway.set_disabled([Change(account.ref, disabled=True, expect=account.revision)])
    assert isinstance(outcome, Applied)
    assert _providers(stage)[name]["disabled"] is True
    after = compat(await stage.gateway.accounts(), name)
    assert (after.enabled, after.listed, after.probeable) == (False, False, False)
    assert after.fingerprint == account.fingerprint
    assert after.revision == outcome.revision


async def test_a_hidden_account_can_be_enabled(stage: Stage) -> None:
    account = compat(await stage.gateway.accounts(), "dark")
    (outcome,) = await stage.gateway.set_disabled([Change(account.ref, disabled=False, expect=account.revision)])
    assert isinstance(outcome, Applied)
    assert outcome.before == Before(disabled=True)
    after = compat(await stage.gateway.accounts(), "dark")
    assert (after.enabled, after.listed, after.probeable) == (True, True, True)
    assert after.revision == outcome.revision


@pytest.mark.parametrize("name", ["duo", "twilight"])
@pytest.mark.parametrize("disabled", [True, False])
async def test_a_provider_with_two_keys_is_refused_and_nothing_is_written(
    stage: Stage, name: str, disabled: bool
) -> None:
    text = stage.text()
    account = compat(await stage.gateway.accounts(), name)
    (outcome,) = await stage.gateway.set_disabled([Change(account.ref, disabled=disabled)])
    assert isinstance(outcome, Refused)
    assert outcome.code == "several_keys"
    assert outcome.text
    assert stage.text() == text


async def test_a_file_is_switched_in_the_file(stage: Stage) -> None:
    text = stage.text()
    account = file_of(await stage.gateway.accounts(), "claude-a@b.c.json")
    (outcome,) = await stage.gateway.set_disabled([Change(account.ref, disabled=True, expect=account.revision)])
    assert isinstance(outcome, Applied)
    stored = stage.file("claude-a@b.c.json")
    assert stored is not None
    assert stored["disabled"] is True
    assert stored["access_token"] == "token-of-a-1111"
    assert stage.text() == text
    after = file_of(await stage.gateway.accounts(), "claude-a@b.c.json")
    assert (after.enabled, after.listed, after.revision) == (False, True, outcome.revision)


async def test_an_account_that_is_already_so_is_unchanged_and_nothing_is_written(stage: Stage) -> None:
    text = stage.text()
    pool = await stage.gateway.accounts()
    outcomes = await stage.gateway.set_disabled(
        [
            Change(key_of(pool, Section.CLAUDE).ref, disabled=False),
            Change(key_of(pool, Section.CLAUDE, 2).ref, disabled=True),
            Change(compat(pool, "dark").ref, disabled=True),
            Change(file_of(pool, "codex-d@e.f.json").ref, disabled=True),
        ]
    )
    assert outcomes == (Unchanged(), Unchanged(), Unchanged(), Unchanged())
    assert stage.text() == text
    assert stage.writes() == 0


async def test_another_revision_than_expected_is_a_conflict_and_nothing_is_written(stage: Stage) -> None:
    pool = await stage.gateway.accounts()
    await stage.edit(lambda text: text.replace("claude-3-*", "claude-4-*"))
    text = stage.text()
    stale = key_of(pool, Section.CLAUDE, 1)
    file = file_of(pool, "claude-a@b.c.json")
    outcomes = await stage.gateway.set_disabled(
        [
            Change(stale.ref, disabled=True, expect=stale.revision),
            Change(file.ref, disabled=True, expect=Revision("another")),
        ]
    )
    now = await stage.gateway.accounts()
    assert outcomes == (Conflict(key_of(now, Section.CLAUDE, 1).revision), Conflict(file.revision))
    assert stage.text() == text
    assert file_of(now, "claude-a@b.c.json").enabled is True


async def test_what_is_gone_is_missing(stage: Stage) -> None:
    outcomes = await stage.gateway.set_disabled(
        [
            Change(KeyRef(Section.CLAUDE, "claude:apikey:000000000000"), disabled=True),
            Change(FileRef("nobody.json"), disabled=True),
        ]
    )
    assert outcomes == (Missing(), Missing())
    assert stage.writes() == 0


async def test_outcomes_come_in_the_order_of_the_input_and_a_refusal_stops_nobody(stage: Stage) -> None:
    pool = await stage.gateway.accounts()
    wanted: list[Account] = [
        compat(pool, "duo"),
        key_of(pool, Section.CLAUDE),
        compat(pool, "solo"),
        file_of(pool, "claude-a@b.c.json"),
        key_of(pool, Section.VERTEX),
    ]
    outcomes = await stage.gateway.set_disabled(
        [
            *(Change(account.ref, disabled=True) for account in wanted),
            Change(FileRef("nobody.json"), disabled=True),
        ]
    )
    assert [type(outcome) for outcome in outcomes] == [Refused, Applied, Applied, Applied, Applied, Missing]
    after = await stage.gateway.accounts()
    assert _enabled(after) == {"duo": True, "solo": False, "claude": False, "vertex": False, "file": False}


def _enabled(pool: Pool) -> dict[str, bool | None]:
    return {
        "duo": compat(pool, "duo").enabled,
        "solo": compat(pool, "solo").enabled,
        "claude": key_of(pool, Section.CLAUDE).enabled,
        "vertex": key_of(pool, Section.VERTEX).enabled,
        "file": file_of(pool, "claude-a@b.c.json").enabled,
    }


async def test_of_several_changes_to_one_account_the_last_wins_and_all_get_its_outcome(stage: Stage) -> None:
    account = key_of(await stage.gateway.accounts(), Section.CLAUDE)
    outcomes = await stage.gateway.set_disabled(
        [
            Change(account.ref, disabled=False),
            Change(account.ref, disabled=False),
            Change(account.ref, disabled=True),
        ]
    )
    assert isinstance(outcomes[2], Applied)
    assert outcomes == (outcomes[2], outcomes[2], outcomes[2])
    assert key_of(await stage.gateway.accounts(), Section.CLAUDE).enabled is False


async def test_a_batch_within_one_section_is_one_write(stage: Stage) -> None:
    pool = await stage.gateway.accounts()
    await stage.gateway.set_disabled(
        [Change(key_of(pool, Section.CLAUDE, number).ref, disabled=True) for number in range(3)]
    )
    assert stage.writes() == 1


async def test_an_id_that_moved_is_still_reached_through_the_next_candidate_name(stage: Stage) -> None:
    before = key_of(await stage.gateway.accounts(), Section.CLAUDE)
    await stage.edit(
        lambda text: text.replace('"sk-claude-plain-1111"\n', '"sk-claude-plain-1111"\n    prefix: "team"\n')
    )
    (stale,) = await stage.gateway.set_disabled([Change(before.ref, disabled=True, expect=before.revision)])
    assert isinstance(stale, Conflict)
    (outcome,) = await stage.gateway.set_disabled([Change(before.ref, disabled=True)])
    assert isinstance(outcome, Applied)
    assert key_of(await stage.gateway.accounts(), Section.CLAUDE).enabled is False


async def test_a_name_that_means_two_accounts_is_refused_and_nothing_is_written(stage: Stage) -> None:
    before = key_of(await stage.gateway.accounts(), Section.CLAUDE)
    entry = f'  - api-key: "sk-claude-plain-1111"\n    base-url: "{stage.address}"\n    prefix: '
    await stage.edit(
        lambda text: text.replace(
            '"sk-claude-plain-1111"\n', '"sk-claude-plain-1111"\n    prefix: "team"\n', 1
        ).replace("codex-api-key:\n", f'{entry}"twin"\ncodex-api-key:\n')
    )
    text = stage.text()
    (outcome,) = await stage.gateway.set_disabled([Change(before.ref, disabled=True)])
    assert isinstance(outcome, Refused)
    assert outcome.code == "ambiguous"
    assert stage.text() == text


async def test_an_empty_batch_has_no_outcomes(stage: Stage) -> None:
    assert await stage.gateway.set_disabled([]) == ()


async def test_two_batches_at_once_both_take_effect(stage: Stage) -> None:
    pool = await stage.gateway.accounts()
    first, second = await asyncio.gather(
        stage.gateway.set_disabled([Change(key_of(pool, Section.CLAUDE).ref, disabled=True)]),
        stage.gateway.set_disabled([Change(compat(pool, "solo").ref, disabled=True)]),
    )
    assert [type(outcome) for outcome in (*first, *second)] == [Applied, Applied]
    after = await stage.gateway.accounts()
    assert (key_of(after, Section.CLAUDE).enabled, compat(after, "solo").enabled) == (False, False)


async def test_cancelling_waits_for_the_write_in_progress(stage: Stage) -> None:
    account = key_of(await stage.gateway.accounts(), Section.CLAUDE)
    task = asyncio.create_task(_switch(stage, account))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait([task])
    stored = bool(_claude(stage, 0).get("excluded-models"))
    assert key_of(await stage.gateway.accounts(), Section.CLAUDE).enabled is not stored


async def _switch(stage: Stage, account: Account) -> None:
    await stage.gateway.set_disabled([Change(account.ref, disabled=True)])
