import pytest

from adapter.port import Capability, errors
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
