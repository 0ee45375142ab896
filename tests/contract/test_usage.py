import asyncio

import pytest

from adapter.port import Capability, UsageBatch, errors
from tests.contract.pool import compat
from tests.contract.stage import Stage, lacks


async def test_usage_is_switched_and_popped_or_said_to_be_missing(stage: Stage) -> None:
    if await lacks(stage, Capability.USAGE):
        with pytest.raises(errors.Unsupported) as switching:
            await stage.gateway.switch_usage(True)
        with pytest.raises(errors.Unsupported) as popping:
            await stage.gateway.pop_usage(10)
        assert switching.value.capability is popping.value.capability is Capability.USAGE
        return
    await stage.gateway.switch_usage(True)
    batch = await stage.gateway.pop_usage(10)
    assert (batch.records, batch.gap) == ((), False)


async def test_a_request_leaves_one_record_and_a_pop_destroys_what_it_returns(stage: Stage) -> None:
    if await lacks(stage, Capability.USAGE):
        return
    await stage.gateway.switch_usage(True)
    await stage.spend()
    batch = await _popped(stage)
    (record,) = batch.records
    assert (record.alias, record.failed, record.status) == ("demo-alias", False, 200)
    assert (record.input_tokens, record.output_tokens, record.total_tokens) == (12, 30, 42)
    assert record.auth_index == compat(await stage.gateway.accounts(), "solo").auth_index
    assert "sk-solo" not in repr(batch)
    assert (await stage.gateway.pop_usage(10)).records == ()


async def test_a_pop_returns_no_more_than_was_asked_for_and_the_oldest_first(stage: Stage) -> None:
    if await lacks(stage, Capability.USAGE):
        return
    await stage.gateway.switch_usage(True)
    for _ in range(3):
        await stage.spend()
    taken = [len((await stage.gateway.pop_usage(2)).records) for _ in range(3)]
    assert taken == [2, 1, 0]
    with pytest.raises(ValueError, match="at least one"):
        await stage.gateway.pop_usage(0)


async def test_a_pop_whose_waiter_was_cancelled_is_returned_by_the_next(stage: Stage) -> None:
    if await lacks(stage, Capability.USAGE):
        return
    await stage.gateway.switch_usage(True)
    await stage.spend()
    await stage.spend()
    waiter = asyncio.create_task(_popped(stage))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    waiter.cancel()
    await asyncio.wait([waiter])
    assert waiter.cancelled()
    assert [len((await stage.gateway.pop_usage(1)).records) for _ in range(3)] == [1, 1, 0]


async def test_once_usage_is_switched_off_nothing_is_recorded_and_what_waits_and_the_configuration_stay(
    stage: Stage,
) -> None:
    if await lacks(stage, Capability.USAGE):
        return
    await stage.gateway.switch_usage(True)
    await stage.spend()
    await stage.spend()
    assert len((await stage.gateway.pop_usage(1)).records) == 1
    await stage.gateway.switch_usage(False)
    await stage.spend()
    batch = await stage.gateway.pop_usage(10)
    assert (len(batch.records), batch.gap) == (1, False)
    assert compat(await stage.gateway.accounts(), "solo").enabled is True


async def _popped(stage: Stage) -> UsageBatch:
    return await stage.gateway.pop_usage(10)


async def test_the_state_says_whether_usage_is_recorded(stage: Stage) -> None:
    if await lacks(stage, Capability.USAGE):
        with pytest.raises(errors.Unsupported):
            await stage.gateway.usage_state()
        return
    assert (await stage.gateway.usage_state()).recording is False
    await stage.gateway.switch_usage(True)
    assert (await stage.gateway.usage_state()).recording is True


async def test_records_go_to_a_subscriber_instead_of_the_queue_and_to_the_queue_after_it(stage: Stage) -> None:
    if await lacks(stage, Capability.USAGE_SUBSCRIPTION):
        with pytest.raises(errors.Unsupported) as refusal:
            await stage.gateway.subscribe_usage()
        assert refusal.value.capability is Capability.USAGE_SUBSCRIPTION
        return
    await stage.gateway.switch_usage(True)
    await stage.spend()
    subscription = await stage.gateway.subscribe_usage()
    assert len((await stage.gateway.pop_usage(10)).records) == 1
    await stage.spend()
    batch = await subscription.receive(10, 10)
    assert batch is not None
    assert [record.total_tokens for record in batch.records] == [42]
    assert "sk-solo" not in repr(batch)
    assert (await stage.gateway.pop_usage(10)).records == ()
    await subscription.close()
    assert await subscription.receive(10, 10) is None
