"""Edits of configuration entries: planned, written, read back, recorded without secrets, and undone."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from adapter.fake import FakeGateway
from adapter.port import Entry, KeyRef, Losses, Revision, errors
from adapter.privacy.secret import Secret
from extension.engine.actions.entry_edit import EntryRefused
from extension.engine.actions.entry_fields import HIDDEN, EntryFields, changes, shown
from extension.engine.errors import LossNotAccepted, UndoRefused
from extension.engine.inspector import Inspector
from extension.inspection.accounts.account import Source
from extension.store.records import ActionOutcome
from tests.extension.engine.scenario import FILES, TWO_KEYS, compat_config, newest_actions, numbers, set_disabled

SECRET = "header-secret-0123456789"
ENTRY: Mapping[str, Any] = {
    "api-key": "sk-a",
    "base-url": "https://user:pass@a.example/v1",
    "headers": {"X-Auth-Token": SECRET, "X-Team": "blue"},
    "models": [
        {"name": "one", "alias": "first", "force-mapping": True},
        {"name": "two", "alias": "two", "display-name": "Two"},
    ],
    "weight": 7,
}
FIRST_PLACE = "claude-api-key[0]"
CLAUDE = f"""claude-api-key:
  - api-key: sk-ant-edited-0123456789
    base-url: http://b.example
    weight: 7
    headers:
      X-Auth-Token: {SECRET}
"""


@pytest.mark.parametrize(
    ("change", "fields"),
    [
        ({}, {}),
        ({"priority": 5}, {"priority": 5}),
        ({"prefix": "team"}, {"prefix": "team"}),
        ({"base_url": f"https://{HIDDEN}@b.example"}, {"base-url": "https://user:pass@b.example"}),
        ({"base_url": ""}, {"base-url": None}),
        ({"headers": {}}, {"headers": None}),
        (
            {"headers": {"X-Auth-Token": HIDDEN, "X-Team": "red"}},
            {"headers": {"X-Auth-Token": SECRET, "X-Team": "red"}},
        ),
        (
            {"models": (("one", "first"), ("three", "two"))},
            {"models": [ENTRY["models"][0], {"name": "three", "alias": "two", "display-name": "Two"}]},
        ),
        ({"models": (("two", "second"),)}, {"models": [{"name": "two", "alias": "second", "display-name": "Two"}]}),
        (
            {"models": (("one", ""), ("two", "two"), ("new", ""))},
            {"models": [{"name": "one", "force-mapping": True}, ENTRY["models"][1], {"name": "new"}]},
        ),
    ],
)
def test_only_what_differs_from_what_was_shown_is_written(change: dict[str, Any], fields: dict[str, Any]) -> None:
    assert changes(ENTRY, replace(shown(ENTRY), **change)) == fields


def test_secrets_of_an_entry_are_not_shown() -> None:
    words = str(shown(ENTRY))
    assert SECRET not in words
    assert "pass" not in words
    assert "X-Team" in words
    assert "blue" in words


@pytest.fixture
def gateway() -> FakeGateway:
    return FakeGateway(CLAUDE + compat_config(["alpha"]) + TWO_KEYS, FILES)


async def shown_of(inspector: Inspector, name: str) -> tuple[int, str, EntryFields]:
    number = (await numbers(inspector))[name]
    view = await inspector.entries.view(number)
    return number, view.revision, view.fields


def claude_of(gateway: FakeGateway) -> dict[str, Any]:
    entry: dict[str, Any] = gateway.state.document["claude-api-key"][0]
    return entry


async def test_an_entry_that_needs_its_base_url_keeps_it(inspector: Inspector, gateway: FakeGateway) -> None:
    before = str(gateway.state.document)
    number, revision, fields = await shown_of(inspector, "alpha")
    for write in (
        inspector.entries.plan,
        partial(inspector.entries.carry_out, actor="ben", note="", accepts_loss=True),
    ):
        with pytest.raises(EntryRefused, match="deletes an entry of this kind without a base URL"):
            await write(number, revision, replace(fields, base_url=""))
    assert str(gateway.state.document) == before


async def test_an_edit_is_planned_written_recorded_and_undone(
    inspector: Inspector, gateway: FakeGateway, tmp_path: Path
) -> None:
    before = dict(claude_of(gateway))
    (name,) = [name for name in await numbers(inspector) if name not in {"alpha", "pair"}]
    number, revision, fields = await shown_of(inspector, name)
    await inspector.listing.set_flags([number], never_probe=True)
    form = replace(fields, base_url="http://c.example", headers={"X-Auth-Token": HIDDEN, "X-New": "1"})

    plan = await inspector.entries.plan(number, revision, form)
    assert plan.changed["base-url"] == ("http://b.example", "http://c.example")
    assert plan.changed["headers"] == (f"X-Auth-Token: {HIDDEN}", f"X-Auth-Token: {HIDDEN}\nX-New: 1")
    assert SECRET not in repr(plan)
    assert claude_of(gateway) == before

    command = await inspector.entries.carry_out(number, revision, form, "ben", "moved", accepts_loss=False)
    (action,) = command.actions
    assert (action.outcome, action.text.text) == (ActionOutcome.APPLIED, "Written and read back: base-url, headers.")
    assert claude_of(gateway) == {
        **before, "base-url": "http://c.example", "headers": {"X-Auth-Token": SECRET, "X-New": "1"}
    }  # fmt: skip
    moved = action.after["account"] if action.after else 0
    (record,) = await inspector.listing.remembered([moved])
    assert (moved != number, record.never_probe) == (True, True)
    assert command.batch is not None

    (undone,) = (await inspector.undo.of_batch(command.batch.id, "ben")).actions
    assert (undone.outcome, undone.undoes, undone.account_id) == (ActionOutcome.APPLIED, action.id, moved)
    assert claude_of(gateway) == before
    with pytest.raises(UndoRefused):
        await inspector.undo.of_actions([action.id], "ben")
    assert SECRET.encode() not in b"".join(_files_below(tmp_path))


def _files_below(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in folder.rglob("*") if path.is_file()]


async def test_the_neighbor_of_an_entry_that_vanished_is_not_taken_for_it(
    inspector: Inspector, gateway: FakeGateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = [{"api-key": f"sk-ant-{name}-0123456789", "base-url": "http://b.example"} for name in ("one", "two")]
    gateway.state.replace_document({**gateway.state.document, "claude-api-key": entries})
    number = next(
        listed.id for listed in (await inspector.listing.read()).accounts.values() if listed.facts.place == FIRST_PLACE
    )
    await inspector.listing.set_flags([number], protected=True)
    write = gateway.edit_entry

    async def vanish_afterwards(ref: KeyRef, expect: Revision, fields: Entry) -> None:
        await write(ref, expect, fields)
        gateway.state.replace_document({**gateway.state.document, "claude-api-key": entries[1:]})

    monkeypatch.setattr(gateway, "edit_entry", vanish_afterwards)
    view = await inspector.entries.view(number)
    form = replace(view.fields, prefix="team")
    (action,) = (await inspector.entries.carry_out(number, view.revision, form, "ben", "", accepts_loss=False)).actions
    (neighbor,) = [
        listed for listed in (await inspector.listing.read()).accounts.values() if listed.facts.place == FIRST_PLACE
    ]
    assert (action.outcome, action.after) == (ActionOutcome.APPLIED, None)
    assert not (await inspector.listing.remembered([neighbor.id]))[0].protected


async def test_an_edit_of_a_provider_is_one_of_all_its_keys_and_removes_none(
    inspector: Inspector, gateway: FakeGateway
) -> None:
    number = (await numbers(inspector))["pair"]
    view = await inspector.entries.view(number)
    assert len(view.accounts) == 2
    form = replace(view.fields, prefix="team", models=(("gpt", "x"),))
    await inspector.entries.carry_out(number, view.revision, form, "ben", "", accepts_loss=False)
    (pair,) = [entry for entry in gateway.state.document["openai-compatibility"] if entry["name"] == "pair"]
    assert (pair["prefix"], pair["models"], len(pair["api-key-entries"])) == (
        "team",
        [{"name": "gpt", "alias": "x"}],
        2,
    )


async def test_what_cannot_be_edited_is_refused_and_nothing_is_recorded(
    inspector: Inspector, gateway: FakeGateway
) -> None:
    number, revision, fields = await shown_of(inspector, "alpha")
    form = replace(fields, priority=3)
    with pytest.raises(EntryRefused):
        await inspector.entries.carry_out(number, "another revision", form, "ben", "", accepts_loss=False)
    with pytest.raises(EntryRefused):
        await inspector.entries.view((await numbers(inspector, Source.OAUTH))["anna@example.org"])
    with pytest.raises(EntryRefused, match="X-New"):
        await inspector.entries.plan(number, revision, replace(fields, headers={"X-New": HIDDEN}))
    gateway.lossy = Losses(("codex-api-key[].foo",), Secret("text"), "mark")
    with pytest.raises(LossNotAccepted, match="foo"):
        await inspector.entries.carry_out(number, revision, form, "ben", "", accepts_loss=False)
    assert (await inspector.entries.carry_out(number, revision, fields, "ben", "", accepts_loss=False)).batch is None
    assert await newest_actions(inspector) == ()


async def test_a_loss_that_was_accepted_is_brought_back_by_the_undo(inspector: Inspector, gateway: FakeGateway) -> None:
    number, revision, fields = await shown_of(inspector, "alpha")
    gateway.lossy = Losses(("codex-api-key[].foo",), Secret("the text"), "mark")
    command = await inspector.entries.carry_out(
        number, revision, replace(fields, priority=3), "ben", "", accepts_loss=True
    )
    (undone,) = (await inspector.undo.of_actions([command.actions[0].id], "ben", accepts_loss=True)).actions
    assert "back" in undone.text.text
    assert [losses.text for losses in gateway.brought_back] == [Secret("the text")]


@pytest.mark.parametrize(
    ("failure", "outcome"),
    [
        (errors.Rejected("invalid_entry", "no"), ActionOutcome.FAILED),
        (errors.TimedOut("late", applied="maybe"), ActionOutcome.UNCERTAIN),
    ],
)
async def test_a_failed_write_is_recorded_by_its_effect(
    inspector: Inspector, gateway: FakeGateway, failure: errors.GatewayError, outcome: ActionOutcome
) -> None:
    number, revision, fields = await shown_of(inspector, "alpha")
    gateway.fail("edit_entry", failure)
    form = replace(fields, priority=3)
    (action,) = (await inspector.entries.carry_out(number, revision, form, "ben", "", accepts_loss=False)).actions
    assert action.outcome is outcome


async def test_an_entry_that_changed_after_the_edit_is_not_put_back(inspector: Inspector, gateway: FakeGateway) -> None:
    number, revision, fields = await shown_of(inspector, "alpha")
    form = replace(fields, priority=3)
    (action,) = (await inspector.entries.carry_out(number, revision, form, "ben", "", accepts_loss=False)).actions
    await set_disabled(inspector, [number], True, "carl")
    with pytest.raises(UndoRefused):
        await inspector.undo.of_actions([action.id], "ben")
    assert gateway.state.document["openai-compatibility"][0]["priority"] == 3
