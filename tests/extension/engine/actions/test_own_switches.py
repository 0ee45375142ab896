"""A finding about a file whose revision is made of size and time, as a stock gateway's are: every write changes it."""

from collections.abc import Sequence
from itertools import count

import pytest

from adapter.fake import FakeGateway, reply
from adapter.port import Change, FileRef, Outcome
from adapter.privacy.secret import HIDDEN
from extension.engine.inspector import Inspector
from extension.inspection.accounts.account import Source
from extension.inspection.settings import AutoActionMode
from extension.reasons.codes import ReasonCode
from extension.store.records import ActionOutcome
from tests.extension.engine.scenario import (
    FILES,
    FlyingClock,
    apply,
    inspected,
    newest_actions,
    numbers,
    set_disabled,
    settings,
)

DISABLE = AutoActionMode.DISABLE
APPLIED = ActionOutcome.APPLIED


class FilesByTime(FakeGateway):
    """Writes a time of its own into each file that it switches."""

    times = count(1)

    async def set_disabled(self, changes: Sequence[Change]) -> tuple[Outcome, ...]:
        outcomes = await super().set_disabled(changes)
        for change in changes:
            if isinstance(change.ref, FileRef):
                self.touch(change.ref.name)
        return outcomes

    def touch(self, name: str) -> None:
        self.state.files[name] = {**self.state.files[name], "written": next(self.times)}


@pytest.fixture
def gateway() -> FilesByTime:
    gateway = FilesByTime("", FILES)
    gateway.upstream = lambda _: reply(401, '{"error":{"code":"token_invalidated"}}')
    return gateway


async def _checked(inspector: Inspector) -> int:
    run = await inspected(inspector, settings(accountSource="oauth"))
    advised = {result.action for result in await inspector.history.results(run.id, 0, 10)}
    assert advised == {"disable"}
    return run.id


async def _number_of_anna(inspector: Inspector) -> int:
    return (await numbers(inspector, Source.OAUTH))["anna@example.org"]


async def _applied(inspector: Inspector, run: int, named: list[int] | None = None) -> list[ActionOutcome]:
    return [action.outcome for action in await apply(inspector, run, DISABLE, "anna", named)]


async def test_what_was_disabled_and_undone_is_applied_again_any_number_of_times(
    inspector: Inspector, clock: FlyingClock
) -> None:
    run = await _checked(inspector)
    for _ in range(3):
        await clock.advance(1)
        assert await _applied(inspector, run) == [APPLIED, APPLIED]
        await clock.advance(1)
        undone = await inspector.undo.of_run(run, "ben")
        assert [action.outcome for action in undone.actions] == [APPLIED, APPLIED]


async def test_what_a_person_enabled_again_is_applied_again_by_name(inspector: Inspector, clock: FlyingClock) -> None:
    run = await _checked(inspector)
    anna = await _number_of_anna(inspector)
    await _applied(inspector, run)
    await clock.advance(1)
    await set_disabled(inspector, [anna], False, "ben")
    assert await _applied(inspector, run) == []
    assert await _applied(inspector, run, [anna]) == [APPLIED]


@pytest.mark.parametrize(("note", "disabled"), [("", True), ("by hand", True), ("", False)])
async def test_a_change_without_a_note_has_the_reason_of_the_check_that_recommends_it(
    inspector: Inspector, note: str, *, disabled: bool
) -> None:
    run = await _checked(inspector)
    anna = await _number_of_anna(inspector)
    (found,) = [result for result in await inspector.history.results(run, 0, 10) if result.account_id == anna]
    if not disabled:
        await set_disabled(inspector, [anna], True, "ben", "by hand")
    (made,) = await set_disabled(inspector, [anna], disabled, "ben", note)
    assert made.reason.text == (note or (found.reason.text if disabled else ""))


@pytest.mark.parametrize("before_undo", [True, False])
async def test_a_change_from_outside_still_stands_in_the_way(
    inspector: Inspector, clock: FlyingClock, gateway: FilesByTime, *, before_undo: bool
) -> None:
    run = await _checked(inspector)
    await _applied(inspector, run)
    await clock.advance(1)
    if before_undo:
        gateway.touch("anna.json")
    await inspector.undo.of_run(run, "ben")
    if not before_undo:
        gateway.touch("anna.json")
    writes = gateway.writes["file"]
    anna = await _number_of_anna(inspector)
    made = await apply(inspector, run, DISABLE, "anna", [anna])
    assert [(action.outcome, action.text.codes) for action in made] == [
        (ActionOutcome.CONFLICT, (ReasonCode.CHANGED_SINCE_CHECK,))
    ]
    assert gateway.writes["file"] == writes


async def test_the_stored_revision_is_not_taken_for_a_key(inspector: Inspector) -> None:
    await _applied(inspector, await _checked(inspector))
    for action in await newest_actions(inspector):
        assert action.after is not None
        assert HIDDEN not in str((action.before, action.after))
        assert len(action.after["revision"]) == len(action.before["origin"]["revision"]) == 32
