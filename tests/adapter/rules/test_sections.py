"""The suite every row of the table of sections passes: reading, identity and switching.

It needs nothing but `adapter`, because test_eighth_section runs it over a copy with one more row.
"""

from dataclasses import fields, replace
from typing import Any

import pytest
import yaml

from adapter.fake import FakeGateway
from adapter.port.accounts import Account, Switch
from adapter.port.changes import Applied, Change
from adapter.port.section import IndexSeed, KeyRef, Section, SectionRow
from adapter.rules.entries import KeyRecord, read_sections
from adapter.rules.identity import Fingerprints, StableIds, auth_index, entry_id, key_seed, provider_of

KEY = "sk-of-the-suite-1111"
BASE = "https://api.example.com"
every_section = pytest.mark.parametrize("section", Section, ids=str)


def entry(section: Section, key: str = KEY, base: str = BASE) -> dict[str, Any]:
    if section.holds_providers:
        return {"name": "Relay", "base-url": base, "api-key-entries": [{"api-key": key}]}
    return {"api-key": key, "base-url": base, "prefix": "team", "headers": {"X-A": "1"}}


def read(section: Section, *entries: dict[str, Any]) -> tuple[KeyRecord, ...]:
    return read_sections({section.value: list(entries)})


async def listed(gateway: FakeGateway) -> Account:
    (account,) = (await gateway.accounts()).accounts
    return account


@every_section
def test_an_entry_is_read_as_one_account(section: Section) -> None:
    (record,) = read(section, entry(section))

    assert (record.facts.section, record.facts.api_key, record.facts.base_url) == (section, KEY, BASE)
    assert record.label == ("Relay" if section.holds_providers else section.row.label)
    assert not record.disabled


@every_section
def test_an_entry_without_a_required_field_is_ignored(section: Section) -> None:
    assert bool(read(section, entry(section, base=""))) is not section.row.needs_base_url
    assert bool(read(section, entry(section, key=""))) is not section.row.needs_key


def test_sections_are_read_in_the_order_of_the_table() -> None:
    records = read_sections({section.value: [entry(section)] for section in reversed(Section)})

    assert [record.facts.section for record in records] == list(Section)


@every_section
def test_ids_begin_with_the_provider_and_number_equal_entries(section: Section) -> None:
    first, second = read(section, entry(section), entry(section))

    kind = "relay" if section.holds_providers else "apikey"
    assert first.gateway_id.startswith(f"{section.row.provider}:{kind}:")
    assert second.gateway_id == f"{first.gateway_id}-1"


@every_section
def test_prefix_and_headers_move_the_id_where_the_row_says_so(section: Section) -> None:
    (record,) = read(section, entry(section))
    bare = replace(record.facts, prefix="", headers={})

    assert (entry_id(StableIds(), bare) != record.gateway_id) is section.row.extended_id


@every_section
def test_the_index_is_made_of_the_seed_the_row_names(section: Section) -> None:
    (record,) = read(section, entry(section))

    by_id = section.row.index_seed is IndexSeed.ENTRY_ID
    seed = f"id:{record.gateway_id}" if by_id else f"{section.value}:{BASE}+{KEY}"
    assert key_seed(record.facts, record.gateway_id) == seed
    assert record.auth_index == auth_index(seed)


def test_no_two_sections_share_an_id_an_index_a_fingerprint_or_a_provider() -> None:
    records = [read(section, entry(section))[0] for section in Section]
    prints = Fingerprints(b"k" * 32)

    assert len({record.gateway_id for record in records}) == len(Section)
    assert len({record.auth_index for record in records}) == len(Section)
    assert len({prints.of_key(record.facts.section, BASE, KEY) for record in records}) == len(Section)
    assert len({provider_of(record.facts) for record in records}) == len(Section)


@every_section
async def test_an_account_is_switched_off_and_on_again(section: Section) -> None:
    gateway = FakeGateway(yaml.safe_dump({section.value: [entry(section)]}))
    before = await listed(gateway)
    assert before.switch is (Switch.PROVIDER if section.holds_providers else Switch.ENTRY)
    assert isinstance(before.ref, KeyRef)

    (off,) = await gateway.set_disabled([Change(before.ref, disabled=True)])
    assert isinstance(off, Applied)
    assert (await listed(gateway)).enabled is False

    (on,) = await gateway.set_disabled([Change(before.ref, disabled=False, restore=off.before)])
    assert isinstance(on, Applied)
    assert await listed(gateway) == before
    assert gateway.writes == {section.value: 2}


@every_section
def test_every_text_of_a_row_is_filled_in(section: Section) -> None:
    assert all(getattr(section.row, name) for name in ("provider", "label", "family"))


def test_a_row_without_a_column_is_refused_with_both_names() -> None:
    columns = {field.name: getattr(Section.CLAUDE.row, field.name) for field in fields(SectionRow)}
    for name in columns:
        row = "claude-apikey" if name == "provider" else "claude"
        with pytest.raises(TypeError, match=f"The row '{row}' of SectionRow has no column {name}: add it"):
            SectionRow(**{column: value for column, value in columns.items() if column != name})
