"""Client keys: created, revoked, brought back in their place, and settled where an answer was lost."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from adapter.fake import FakeGateway
from adapter.port import Losses, errors
from extension.engine.client_keys.client_keys import ClientKeys, KeyRequest
from extension.engine.client_keys.errors import (
    ClientKeyCopyGone,
    ClientKeyUnknown,
    ClientKeyWriteDrops,
    LastClientKey,
)
from extension.engine.errors import EngineError, UndoRefused
from extension.reasons.reason import ReasonList
from extension.store.client_keys import KeyActionRecord
from extension.store.deleted_files import KEPT_MS
from extension.store.records import ActionOutcome
from tests.extension.engine.scenario import FlyingClock, opened

KEYS = ("sk-anna-0123456789abcdef", "sk-ben-0123456789abcdef", "sk-cleo-0123456789abcdef")
CONFIG = "api-keys:\n" + "".join(f"  - {key}\n" for key in KEYS)
NOTE = KeyRequest("page", ReasonList(written="left the team"))


@dataclass(frozen=True)
class Stage:
    gateway: FakeGateway
    keys: ClientKeys
    folder: Path
    clock: FlyingClock

    @property
    def listed(self) -> list[str]:
        return list(self.gateway.state.document["api-keys"])

    async def fingerprint(self, place: int) -> str:
        return (await self.keys.listed())[place].fingerprint

    async def last(self) -> KeyActionRecord:
        return (await self.keys.history())[0][0]


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[Stage]:
    gateway, clock = FakeGateway(CONFIG), FlyingClock()
    async with opened(tmp_path, gateway, clock=clock) as inspector:
        assert inspector.client_keys is not None
        yield Stage(gateway, inspector.client_keys, tmp_path, clock)


async def test_a_new_key_is_long_stands_last_and_is_stored_nowhere(stage: Stage) -> None:
    new = await stage.keys.prepare()
    action = await stage.keys.create(new.document, NOTE)
    key = new.key.reveal()
    assert stage.listed == [*KEYS, key]
    assert (len(key), action.outcome, action.fingerprint) == (51, ActionOutcome.APPLIED, new.fingerprint)
    assert await stage.fingerprint(3) == new.fingerprint
    assert not any(key.encode() in path.read_bytes() for path in stage.folder.rglob("*") if path.is_file())


async def test_a_revoked_key_comes_back_in_its_place_and_each_step_can_be_taken_back(stage: Stage) -> None:
    fingerprint = await stage.fingerprint(1)
    revoked = await stage.keys.revoke(fingerprint, NOTE)
    assert stage.listed == [KEYS[0], KEYS[2]]
    assert (revoked.position, revoked.reason.text, revoked.hint) == (1, "left the team", "sk-b…cdef")
    assert not any(KEYS[1].encode() in path.read_bytes() for path in stage.folder.rglob("*") if path.is_file())

    restored = await stage.keys.undo(revoked.id, "page")
    assert stage.listed == list(KEYS)
    assert (restored.undoes, restored.outcome) == (revoked.id, ActionOutcome.APPLIED)
    assert (await stage.keys.history())[1] == {restored.id}

    again = await stage.keys.undo(restored.id, "page")
    assert stage.listed == [KEYS[0], KEYS[2]]
    await stage.keys.undo(again.id, "page")
    assert stage.listed == list(KEYS)


@pytest.mark.parametrize("which", ["older", "unknown"])
async def test_only_the_last_action_on_a_key_is_taken_back(stage: Stage, which: str) -> None:
    revoked = await stage.keys.revoke(await stage.fingerprint(0), NOTE)
    await stage.keys.undo(revoked.id, "page")
    with pytest.raises(UndoRefused):
        await stage.keys.undo(revoked.id if which == "older" else 99, "page")
    assert stage.listed == list(KEYS)


async def test_a_key_that_somebody_has_put_back_stands_there_once(stage: Stage) -> None:
    revoked = await stage.keys.revoke(await stage.fingerprint(0), NOTE)
    stage.gateway.state.replace_document({"api-keys": list(KEYS)})
    restored = await stage.keys.undo(revoked.id, "page")
    assert restored.outcome is ActionOutcome.UNCHANGED
    assert (await stage.keys.history())[1] == {restored.id}
    assert stage.listed == list(KEYS)


async def test_a_revoked_key_is_kept_for_30_days(stage: Stage) -> None:
    revoked = await stage.keys.revoke(await stage.fingerprint(0), NOTE)
    assert (await stage.keys.history())[1] == {revoked.id}
    await stage.clock.advance(KEPT_MS / 1000 + 1)
    assert (await stage.keys.history())[1] == frozenset()
    with pytest.raises(ClientKeyCopyGone):
        await stage.keys.undo(revoked.id, "page")


@pytest.mark.parametrize(
    ("config", "lossy", "refusal"),
    [
        (f"api-keys: [{KEYS[0]}, '']\n", Losses(), LastClientKey),
        (CONFIG, Losses(("weight of claude-api-key",)), ClientKeyWriteDrops),
        (f"api-keys: [{KEYS[1]}, {KEYS[2]}]\n", Losses(), ClientKeyUnknown),
    ],
)
async def test_a_refused_revocation_writes_and_stores_nothing(
    stage: Stage, config: str, lossy: Losses, refusal: type[EngineError]
) -> None:
    fingerprint = await stage.fingerprint(0)
    stage.gateway.state.replace_text(config)
    stage.gateway.lossy = lossy
    with pytest.raises(refusal):
        await stage.keys.revoke(fingerprint, NOTE)
    assert stage.gateway.state.text == config
    assert (await stage.keys.history())[0] == ()


async def test_a_write_that_the_gateway_refuses_is_recorded_as_failed(stage: Stage) -> None:
    stage.gateway.fail("replace_client_keys", errors.Rejected("not_saved", "The gateway could not save config.yaml."))
    with pytest.raises(errors.Rejected):
        await stage.keys.revoke(await stage.fingerprint(0), NOTE)
    action = await stage.last()
    assert (action.outcome, stage.listed) == (ActionOutcome.FAILED, list(KEYS))
    assert "could not save" in action.text.text


@pytest.mark.parametrize(("written", "outcome"), [(True, ActionOutcome.APPLIED), (False, ActionOutcome.FAILED)])
async def test_an_action_without_an_answer_is_settled_by_the_list(
    stage: Stage, written: bool, outcome: ActionOutcome
) -> None:
    fingerprint = await stage.fingerprint(0)
    lost = errors.TimedOut("The gateway did not answer in time.", applied="maybe")
    stage.gateway.fail("replace_client_keys", lost)
    away = errors.Unavailable("The gateway is away.")
    read = stage.gateway.client_keys
    reads = 0

    async def once() -> object:
        nonlocal reads
        reads += 1
        if reads > 1:
            raise away
        return await read()

    stage.gateway.client_keys = once  # type: ignore[method-assign, assignment]
    with pytest.raises(errors.TimedOut):
        await stage.keys.revoke(fingerprint, NOTE)
    assert (await stage.last()).outcome is ActionOutcome.PENDING

    stage.gateway.client_keys = read  # type: ignore[method-assign]
    if written:
        stage.gateway.state.replace_document({"api-keys": list(KEYS[1:])})
    await stage.keys.settle()
    assert (await stage.last()).outcome is outcome
