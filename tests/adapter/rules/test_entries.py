from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from adapter.port import Account, Activity, Section
from adapter.rules.entries import key_account, read_sections, shown_address
from adapter.rules.identity import Fingerprints

PRINTS = Fingerprints(b"k" * 32)


def _accounts(text: str) -> list[Account]:
    return [key_account(record, PRINTS, activity=Activity()) for record in read_sections(yaml.safe_load(text))]


def test_sections_are_met_in_the_order_of_the_stock_synthesis() -> None:
    document = {section.value: [{"api-key": "k", "base-url": "http://x", "name": "n"}] for section in Section}
    sections = [record.facts.section for record in read_sections(document)]
    assert sections == [
        Section.GEMINI,
        Section.INTERACTIONS,
        Section.CLAUDE,
        Section.CODEX,
        Section.XAI,
        Section.COMPAT,
        Section.VERTEX,
    ]


@pytest.mark.parametrize(
    ("section", "entry", "count"),
    [
        ("claude-api-key", {"api-key": "k"}, 1),
        ("claude-api-key", {"base-url": "http://x"}, 1),
        ("claude-api-key", {"api-key": " ", "base-url": ""}, 0),
        ("codex-api-key", {"api-key": "k"}, 0),
        ("xai-api-key", {"api-key": "k"}, 0),
        ("vertex-api-key", {"base-url": "http://x"}, 0),
        ("openai-compatibility", {"name": "n"}, 0),
        ("openai-compatibility", {"name": "n", "base-url": "http://x"}, 1),
        ("claude-api-key", "no mapping", 0),
    ],
)
def test_entries_a_gateway_drops_are_dropped(section: str, entry: object, count: int) -> None:
    assert len(read_sections({section: [entry]})) == count


def test_hidden_keys_come_last_and_take_no_id_from_a_live_one() -> None:
    accounts = _accounts(
        "openai-compatibility:\n"
        "  - {name: a, disabled: true, base-url: 'http://x', api-key-entries: [{api-key: k}]}\n"
        "  - {name: a, base-url: 'http://x', api-key-entries: [{api-key: k}]}\n"
        "vertex-api-key:\n"
        "  - {api-key: v}\n"
    )
    assert [(account.enabled, account.listed) for account in accounts] == [(True, True), (True, True), (False, False)]
    live, _, hidden = (account.names[0] for account in accounts)
    assert hidden == f"{live}-1"


def test_a_key_among_others_moves_only_its_own_revision() -> None:
    text = (
        "openai-compatibility:\n  - {name: a, base-url: 'http://x', api-key-entries: [{api-key: k1}, {api-key: k2}]}\n"
    )
    before, after = _accounts(text), _accounts(text.replace("k2", "k3"))
    assert before[0].revision == after[0].revision
    assert before[1].revision != after[1].revision


def test_the_upstreams_own_model_names_are_kept() -> None:
    (account,) = _accounts("claude-api-key: [{api-key: k, models: [{name: real, alias: shown}, {alias: only}, x]}]")
    assert account.models == ("real", "only")


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("", None),
        ("  ", None),
        ("https://api.example.com/v1", "https://api.example.com/v1"),
        ("https://user:p@ss@api.example.com:8443/v1?a=b", "https://api.example.com:8443/v1?a=b"),
        ("http://[broken@x", "x"),
    ],
)
def test_an_address_is_shown_without_user_information(address: str, shown: str | None) -> None:
    assert shown_address(address) == shown


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["api-key", "base-url", "name", "headers", "models", "x"]), inner, max_size=4)
    ),
    max_leaves=8,
)


@given(entries=st.lists(JSON, max_size=4), section=st.sampled_from(Section))
def test_whatever_stands_in_a_section_is_read_or_dropped(entries: list[Any], section: Section) -> None:
    for record in read_sections({section.value: entries}):
        account = key_account(record, PRINTS, activity=Activity())
        assert account.ref == record.ref
        assert record.facts.api_key not in {account.fingerprint, account.auth_index}
