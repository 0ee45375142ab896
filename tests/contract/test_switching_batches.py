import asyncio

import yaml

from adapter.port import Account, Applied, Change, Conflict, FileRef, Missing, Pool, Refused, Section
from tests.contract.pool import compat, file_of, key_of
from tests.contract.stage import Stage


def _claude(stage: Stage, number: int) -> dict[str, object]:
    entry: dict[str, object] = yaml.safe_load(stage.text())["claude-api-key"][number]
    return entry


async def test_outcomes_come_in_the_order_of_the_input_and_a_refusal_stops_nobody(stage: Stage) -> None:
    pool = await stage.gateway.accounts()
    switchable: list[Account] = [
        compat(pool, "duo"),
        key_of(pool, Section.CLAUDE),
        compat(pool, "solo"),
        file_of(pool, "claude-a@b.c.json"),
        key_of(pool, Section.VERTEX),
    ]
    outcomes = await stage.gateway.set_disabled(
        [
            *(Change(account.ref, disabled=True) for account in switchable),
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
    still_named = key_of(await stage.gateway.accounts(), Section.CLAUDE).ref == before.ref
    (outcome,) = await stage.gateway.set_disabled([Change(before.ref, disabled=True)])
    if still_named:  # ids of v7.2.80 hold no prefix: the name means the first of the two
        assert isinstance(outcome, Applied)
        assert [_claude(stage, number).get("excluded-models") for number in (0, -1)] == [["*"], None]
        return
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
