import pytest
import yaml

from adapter.port import errors
from adapter.privacy.secret import Secret
from tests.contract.stage import Stage

FIRST, SECOND, THIRD = (Secret(f"sk-client-{name}-0123456789abcdef") for name in ("first", "second", "third"))


def stored(stage: Stage) -> list[str]:
    return list(yaml.safe_load(stage.text()).get("api-keys") or [])


async def test_replaced_client_keys_are_stored_in_their_order_and_nothing_else_changes(stage: Stage) -> None:
    assert await stage.gateway.client_keys() == ()
    before = yaml.safe_load(stage.text())
    await stage.gateway.replace_client_keys([FIRST, SECOND, THIRD], ())
    await stage.gateway.replace_client_keys([FIRST, THIRD], [FIRST, SECOND, THIRD])
    assert await stage.gateway.client_keys() == (FIRST, THIRD)
    await stage.gateway.replace_client_keys([FIRST, SECOND, THIRD], [FIRST, THIRD])
    assert stored(stage) == [key.reveal() for key in (FIRST, SECOND, THIRD)]
    after = yaml.safe_load(stage.text())
    assert after["openai-compatibility"] == before["openai-compatibility"]
    assert after["claude-api-key"] == before["claude-api-key"]


async def test_client_keys_are_not_written_over_others_than_expected(stage: Stage) -> None:
    await stage.gateway.replace_client_keys([FIRST], ())
    text = stage.text()
    with pytest.raises(errors.ConflictError) as caught:
        await stage.gateway.replace_client_keys([FIRST, SECOND], [THIRD])
    assert caught.value.applied == "no"
    assert stage.text() == text
    assert "0123456789" not in f"{caught.value}{caught.value.__cause__}{caught.value.__context__}"
