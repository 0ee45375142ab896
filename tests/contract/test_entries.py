"""One entry of the configuration, read and edited; everything else means what it meant."""

import json
from typing import Any

import pytest
import yaml

from adapter.port import Account, Capability, Entry, KeyRef, Pool, Revision, Section, errors
from adapter.privacy.secret import Secret
from tests.contract.pool import compat, key_of
from tests.contract.stage import Stage, lacks


def ref_of(account: Account) -> KeyRef:
    assert isinstance(account.ref, KeyRef)
    return account.ref


def fields(**values: Any) -> Entry:
    return Entry(Secret(json.dumps({name.replace("_", "-"): value for name, value in values.items()})))


def account_of(pool: Pool, which: str) -> Account:
    return compat(pool, "duo") if which == "duo" else key_of(pool, Section(which))


@pytest.mark.parametrize(
    "which", ["duo", *(section.value for section in (Section.CLAUDE, Section.CODEX, Section.VERTEX))]
)
async def test_edited_fields_are_in_effect_and_nothing_else_changes(stage: Stage, which: str) -> None:
    account = account_of(await stage.gateway.accounts(), which)
    before = yaml.safe_load(stage.text())
    change = fields(prefix="team", priority=3, headers={"X-New": "1"}, base_url="https://new.example.com/v1")
    if await lacks(stage, Capability.REPLACE_SECTION):
        with pytest.raises(errors.Unsupported):
            await stage.gateway.edit_entry(ref_of(account), account.revision, change)
        return
    await stage.gateway.edit_entry(ref_of(account), account.revision, change)
    pool = await stage.gateway.accounts()
    (edited,) = [
        other
        for other in pool.accounts
        if (other.place, other.key_place) == (account.place, account.key_place)
        and isinstance(other.ref, KeyRef)
        and other.ref.section is ref_of(account).section
    ]
    assert (edited.base_url, edited.key_hint) == ("https://new.example.com/v1", account.key_hint)
    section = str(ref_of(account).section)
    after = yaml.safe_load(stage.text())
    entry = after[section][account.place or 0]
    assert (entry["prefix"], entry["priority"], entry["headers"]) == ("team", 3, {"X-New": "1"})
    assert [_keys(other) for other in after[section]] == [_keys(other) for other in before[section]]

    await stage.gateway.edit_entry(ref_of(edited), edited.revision, fields(prefix=None, priority=None, headers=None))
    bare = yaml.safe_load(stage.text())[section][account.place or 0]
    assert not any(bare.get(name) for name in ("prefix", "priority", "headers"))


async def test_one_of_several_headers_is_removed(stage: Stage) -> None:
    if await lacks(stage, Capability.REPLACE_SECTION):
        return
    for headers in ({"X-Gone": "1", "X-Kept": "2"}, {"X-Kept": "2"}):
        account = key_of(await stage.gateway.accounts(), Section.CLAUDE)
        await stage.gateway.edit_entry(ref_of(account), account.revision, fields(headers=headers))
    assert yaml.safe_load(stage.text())["claude-api-key"][0]["headers"] == {"X-Kept": "2"}


def _keys(entry: dict[str, Any]) -> list[str]:
    """Return the keys of an entry without blanks, which a stock gateway takes off."""
    holders = entry.get("api-key-entries", []) if "name" in entry else [entry]
    return [holder["api-key"].strip() for holder in holders]


async def test_an_entry_is_read_with_all_of_its_fields(stage: Stage) -> None:
    account = key_of(await stage.gateway.accounts(), Section.CLAUDE)
    entry = json.loads((await stage.gateway.read_entry(ref_of(account), account.revision)).json.reveal())
    assert entry["api-key"] == "sk-claude-plain-1111"
    assert entry["models"][0]["alias"] == "claude-alias"


async def test_an_entry_is_not_edited_in_another_state_than_expected(stage: Stage) -> None:
    account = key_of(await stage.gateway.accounts(), Section.CLAUDE)
    text = stage.text()
    if not await lacks(stage, Capability.REPLACE_SECTION):
        with pytest.raises(errors.ConflictError):
            await stage.gateway.edit_entry(ref_of(account), Revision("another"), fields(priority=1))
        with pytest.raises(errors.NotFound):
            await stage.gateway.edit_entry(KeyRef(Section.CLAUDE, "no entry"), account.revision, fields(priority=1))
    assert stage.text() == text
