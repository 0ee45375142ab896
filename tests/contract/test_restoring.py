"""Taking a status change back: to the byte where the gateway can, else so that everything means what it meant."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import yaml

from adapter.management.listing.sections import canonical
from adapter.port import Account, Applied, Before, Capability, Change, Pool, Section, Unchanged
from tests.contract.pool import FILES, compat, file_of, key_of
from tests.contract.stage import Stage, lacks


def _every_kind(pool: Pool) -> list[Account]:
    """A key without patterns, one with a pattern, one that is off; providers without and with the switch; files."""
    keys = [key_of(pool, Section.CLAUDE, number) for number in range(3)]
    return [
        *keys,
        *(compat(pool, name) for name in ("solo", "dark", "local")),
        *(file_of(pool, name) for name in FILES),
    ]


def _stored(stage: Stage) -> list[str]:
    return [stage.text(), *(stage.file_text(name) for name in FILES)]


def _meant(stored: Sequence[str]) -> list[Any]:
    """What texts say, empty values and switches that are on left out, blanks around a value too."""
    return [canonical(_trimmed(yaml.safe_load(text))) for text in stored]


def _trimmed(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _trimmed(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_trimmed(item) for item in value]
    return value.strip() if isinstance(value, str) else value


def _still_meant(stored: Sequence[str], before: Sequence[str]) -> list[Any]:
    """What texts say of that which they spoke of before: a stock gateway writes its defaults into what it saves."""
    pairs = zip(_meant(stored), _meant(before), strict=True)
    return [{name: now.get(name) for name in then} for now, then in pairs]


async def _flipped(stage: Stage, accounts: Sequence[Account]) -> list[Change]:
    """Switch accounts the other way; return the changes that take it back, as stored in JSON."""
    changes = [Change(account.ref, disabled=account.enabled is True, expect=account.revision) for account in accounts]
    back = []
    for change, outcome in zip(changes, await stage.gateway.set_disabled(changes), strict=True):
        assert isinstance(outcome, Applied)
        back.append(Change(change.ref, disabled=not change.disabled, restore=_stored_in_json(outcome.before)))
    return back


def _stored_in_json(before: Before) -> Before:
    """Store a state in JSON and read it again, as an undo does that comes later."""
    read = json.loads(json.dumps(asdict(before)))
    return Before(**{**read, "excluded_models": tuple(read["excluded_models"])})


async def test_changes_that_are_taken_back_leave_everything_as_it_was(stage: Stage) -> None:
    before = _stored(stage)
    accounts = _every_kind(await stage.gateway.accounts())
    back = await _flipped(stage, accounts)
    assert _meant(_stored(stage)) != _meant(before)
    outcomes = await stage.gateway.set_disabled(back)
    assert {type(outcome) for outcome in outcomes} == {Applied}
    after = _every_kind(await stage.gateway.accounts())
    assert [account.enabled for account in after] == [account.enabled for account in accounts]
    if await lacks(stage, Capability.EXACT_RESTORE):
        assert _still_meant(_stored(stage), before) == _meant(before)
    else:
        assert _stored(stage) == before


async def test_taking_back_can_be_taken_back_itself(stage: Stage) -> None:
    accounts = _every_kind(await stage.gateway.accounts())
    back = await _flipped(stage, accounts)
    off = _stored(stage)
    again = [
        Change(change.ref, disabled=not change.disabled, restore=outcome.before)
        for change, outcome in zip(back, await stage.gateway.set_disabled(back), strict=True)
        if isinstance(outcome, Applied)
    ]
    await stage.gateway.set_disabled(again)
    if await lacks(stage, Capability.EXACT_RESTORE):
        assert _meant(_stored(stage)) == _meant(off)
    else:
        assert _stored(stage) == off


async def test_a_foreign_change_of_the_same_entry_stays_and_only_the_switch_is_as_before(stage: Stage) -> None:
    account = compat(await stage.gateway.accounts(), "solo")
    (back,) = await _flipped(stage, [account])
    await stage.edit(
        lambda text: text.replace('alias: "demo-alias"', 'alias: "another-alias"').replace(
            "alias: demo-alias", "alias: another-alias"
        )
    )
    assert isinstance((await stage.gateway.set_disabled([back]))[0], Applied)
    solo = next(
        provider for provider in yaml.safe_load(stage.text())["openai-compatibility"] if provider["name"] == "solo"
    )
    assert not solo.get("disabled")
    assert solo["models"][0]["alias"] == "another-alias"


async def test_what_is_as_before_already_is_not_written(stage: Stage) -> None:
    accounts = _every_kind(await stage.gateway.accounts())
    back = await _flipped(stage, accounts)
    await stage.gateway.set_disabled(back)
    stored, writes = _stored(stage), stage.writes()
    assert set(await stage.gateway.set_disabled(back)) == {Unchanged()}
    assert (_stored(stage), stage.writes()) == (stored, writes)
