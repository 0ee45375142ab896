"""Undo of several actions on the same accounts, the newest first, on the bytes of the files."""

from pathlib import Path
from typing import Any

import pytest

from extension.engine.errors import UndoRefused
from extension.inspection.accounts.account import Selection, Source
from extension.reasons.codes import ReasonCode
from extension.store.actions.search import ActionFilter
from extension.store.records import ActionOutcome, ActionRecord
from tests.extension.engine.embedded import Bench, embedded
from tests.extension.engine.scenario import set_disabled

CONFIG = """\
auth-dir: {auths} # the files
claude-api-key: # a list
- api-key: sk-ant-first-0123456789 # the key
  base-url: http://one.example
- {api-key: sk-ant-second-0123456789, base-url: 'http://two.example'} # in one line
- base-url: http://three.example
  excluded-models: [old-*, ]
  api-key: sk-ant-third-0123456789
openai-compatibility:
  - name: pool
    disabled: no # yet
    base-url: http://four.example/v1
    api-key-entries: [{api-key: sk-fourth-0123456789}]
# its end
"""
FILES = {"codex-1.json": '{"type":"codex", "access_token": "a-token", "zeta": [1, 2.50]}\n'}
APPLIED = {ActionOutcome.APPLIED}


async def everyone(bench: Bench) -> list[int]:
    return [
        account.id for source in Source for account in (await bench.inspector.listing.view(Selection(source))).accounts
    ]


async def switched(bench: Bench, disabled: bool) -> list[int]:
    """Switch every account; return the actions."""
    made = await set_disabled(bench.inspector, await everyone(bench), disabled, "anna", "a try")
    assert len(made) == 5
    return applied(made)


async def undone(bench: Bench, actions: list[int]) -> list[int]:
    return applied((await bench.inspector.undo.of_actions(actions, "anna")).actions)


def applied(made: Any) -> list[int]:
    assert {action.outcome for action in made} == APPLIED
    return [action.id for action in made]


async def test_any_number_of_actions_is_undone_in_reverse_order(tmp_path: Path) -> None:
    async with embedded(tmp_path, CONFIG, FILES) as bench:
        states, made = [bench.stored()], []
        for disabled in (True, False, True, False):
            made.append(await switched(bench, disabled))
            states.append(bench.stored())

        for actions, state in zip(reversed(made), reversed(states[:-1]), strict=True):
            await undone(bench, actions)
            assert bench.stored() == state


async def test_batches_are_undone_in_reverse_order_too(tmp_path: Path) -> None:
    async with embedded(tmp_path, CONFIG, FILES) as bench:
        before, batches = bench.stored(), []
        for action in ("disable", "enable"):
            done = await bench.inspector.commands.carry_out(await everyone(bench), action, "anna")
            assert done.batch is not None
            batches.append(done.batch.id)

        for batch in reversed(batches):
            applied((await bench.inspector.undo.of_batch(batch, "ben")).actions)
        assert bench.stored() == before


async def test_a_disable_before_a_later_action_that_stands_is_not_undone(tmp_path: Path) -> None:
    async with embedded(tmp_path, CONFIG, FILES) as bench:
        disabled = await switched(bench, True)
        enabled = await switched(bench, False)
        await undone(bench, enabled)
        await switched(bench, False)
        state = bench.stored()

        refused = (await bench.inspector.undo.of_actions(disabled, "anna")).actions
        assert {(action.outcome, *action.text.codes) for action in refused} == {
            (ActionOutcome.CONFLICT, ReasonCode.LATER_ACTION)
        }
        assert bench.stored() == state


async def test_an_undo_of_several_actions_says_so_and_leaves_none_of_them_to_be_undone(tmp_path: Path) -> None:
    async with embedded(tmp_path, CONFIG, FILES) as bench:
        first, second, third = [await switched(bench, disabled) for disabled in (True, False, True)]

        made = (await bench.inspector.undo.of_actions([*first, *second, *third], "anna")).actions
        assert outcomes(made) == APPLIED
        assert {action.reason.codes for action in made} == {(ReasonCode.REVERTS_SEVERAL,)}
        assert made[0].reason.text == f"Reverted #{first[0]} to #{third[0]}"
        state = bench.stored()
        with pytest.raises(UndoRefused):
            await bench.inspector.undo.of_actions(second, "anna")
        assert bench.stored() == state
        assert await shown_as_undone(bench) == {*first, *second, *third}


async def test_an_undo_that_is_undone_leaves_its_action_to_be_undone_again(tmp_path: Path) -> None:
    async with embedded(tmp_path, CONFIG, FILES) as bench:
        before = bench.stored()
        disabled = await switched(bench, True)
        off = bench.stored()
        back = await undone(bench, disabled)
        assert await shown_as_undone(bench) == set(disabled)

        again = await undone(bench, back)

        assert bench.stored() == off
        assert await shown_as_undone(bench) == set(back)
        await undone(bench, disabled)
        assert bench.stored() == before
        assert await shown_as_undone(bench) == {*disabled, *back, *again}


async def shown_as_undone(bench: Bench) -> set[int]:
    """Return the actions that the history shows as undone."""
    return set((await bench.inspector.action_history.page(ActionFilter(), before=None, limit=100)).reverted)


def outcomes(made: tuple[ActionRecord, ...]) -> set[ActionOutcome]:
    return {action.outcome for action in made}
