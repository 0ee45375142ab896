"""Losses of a write through a stock gateway: found before it, and brought back where nothing else has changed."""

import copy
import json

import pytest

from adapter.management import ManagementConnection
from adapter.privacy.secret import Secret
from tests.adapter.management.hasty_clock import HastyClock
from tests.adapter.management.stand_in import KEY, Place, StandIn

CLAUDE, CODEX, COMPAT = "claude-api-key", "codex-api-key", "openai-compatibility"


@pytest.mark.parametrize("changed", [False, True])
async def test_dropped_parts_are_named_before_a_write_and_brought_back_after_its_undo(
    stand_in: StandIn, place: Place, *, changed: bool
) -> None:
    keys = [{"api-key": "sk-in-use"}]
    stand_in.sections[COMPAT] = [{"name": "pool", "base-url": "http://127.0.0.1:9", "api-key-entries": keys}]
    stand_in.reload()
    file = copy.deepcopy(stand_in.sections)
    file[CODEX] = [{"api-key": "sk-without-a-base-url"}]
    file[COMPAT][0]["api-keys"] = ["sk-legacy"]
    stand_in.text = json.dumps(file)
    connection = ManagementConnection(place.address, Secret(KEY), HastyClock())
    connection.bind(bytes(range(32)))

    losses = await connection.gateway.losses()
    assert losses.parts == ("1 of the 1 entries of codex-api-key", "api-keys of pool (openai-compatibility)")
    assert "sk-" not in repr(losses)
    stand_in.text = None  # the gateway has saved its memory
    assert (await connection.gateway.losses()).parts == ()
    if changed:
        stand_in.sections[CLAUDE] = stand_in.sections[CLAUDE][:1]
    assert await connection.gateway.bring_back(losses) is not changed
    assert (stand_in.text is None) is changed
    if stand_in.text is not None:
        assert json.loads(stand_in.text) == file
    await connection.close()
