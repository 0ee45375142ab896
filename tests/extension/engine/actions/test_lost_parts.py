"""Parts of the configuration that a stock gateway drops with a write."""

from pathlib import Path

import pytest

from adapter.fake import FakeGateway, reply
from adapter.port import Losses
from adapter.privacy.secret import Secret
from extension.engine.actions.ownership import DISABLE
from extension.engine.errors import LossNotAccepted
from extension.engine.inspector import Inspector
from extension.inspection.accounts.account import Source
from extension.inspection.settings import AutoActionMode
from extension.reasons.codes import ReasonCode
from extension.store.records import ActionOutcome
from tests.extension.engine.actions.test_automation import automatic
from tests.extension.engine.scenario import FILES, VENDOR_B, inspected, newest_actions, numbers, set_disabled, settings

LOSSES = Losses(("1 of the 1 entries of codex-api-key",), Secret("the text before"), "in use")
PERSON = "anna"


@pytest.fixture
def gateway() -> FakeGateway:
    gateway = FakeGateway(VENDOR_B, FILES)
    gateway.upstream = lambda _: reply(401)
    gateway.lossy = LOSSES
    return gateway


async def test_a_write_that_drops_parts_waits_for_a_person_who_accepts_that(
    inspector: Inspector, gateway: FakeGateway
) -> None:
    account = min((await numbers(inspector)).values())
    assert (await inspector.commands.preview([account], DISABLE)).losses == LOSSES.parts
    with pytest.raises(LossNotAccepted, match="codex-api-key"):
        await set_disabled(inspector, [account], True, PERSON)
    assert not gateway.writes
    done = await inspector.commands.carry_out([account], DISABLE, PERSON, accepts_loss=True)
    assert [action.outcome for action in done.actions] == [ActionOutcome.APPLIED]


async def test_automation_never_drops_parts(inspector: Inspector, gateway: FakeGateway) -> None:
    run = await inspected(inspector, automatic())
    (refused,) = await newest_actions(inspector)
    assert (refused.outcome, refused.text.codes) == (ActionOutcome.REFUSED, (ReasonCode.WRITE_DROPS,))
    assert not gateway.writes
    plan = (await inspector.follow_up.plans(run.id))[1].plan
    assert plan.losses == LOSSES.parts, "a person may apply it"


@pytest.mark.parametrize(("mark", "code"), [("in use", ReasonCode.LOSS_BACK), ("other", ReasonCode.LOSS_NOT_BACK)])
async def test_an_undo_brings_back_what_the_write_dropped_unless_something_else_has_changed(
    inspector: Inspector, gateway: FakeGateway, tmp_path: Path, mark: str, code: ReasonCode
) -> None:
    run = await inspected(inspector, settings())
    applied = await inspector.follow_up.apply_batch(run.id, AutoActionMode.DISABLE, PERSON, None, accepts_loss=True)
    assert applied.batch is not None
    gateway.lossy = Losses(mark=mark)
    undone = await inspector.undo.of_batch(applied.batch.id, PERSON)
    (brought_back,) = gateway.brought_back
    assert (brought_back.text.reveal(), brought_back.mark) == ("the text before", "in use")
    assert undone.actions[-1].text.codes[-1] is code
    assert len(list((tmp_path / "configurations").glob("*"))) == (code is ReasonCode.LOSS_NOT_BACK)


async def test_a_file_is_written_without_a_question_because_nothing_is_dropped_with_it(
    inspector: Inspector, gateway: FakeGateway
) -> None:
    file = (await numbers(inspector, Source.OAUTH))["anna@example.org"]
    (done,) = await set_disabled(inspector, [file], True, PERSON)
    assert done.outcome is ActionOutcome.APPLIED
    assert gateway.writes == {"file": 1}
