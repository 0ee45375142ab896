import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.port import Section
from adapter.rules.identity import (
    Fingerprints,
    IdRule,
    KeyFacts,
    StableIds,
    auth_index,
    candidate_names,
    entry_id,
    file_seed,
    headers_part,
    key_seed,
    provider_of,
)
from tests.adapter.recorded_ids import RECORDED

CLAUDE = KeyFacts(Section.CLAUDE, "sk-test", "https://api.example.com")
OPENROUTER = KeyFacts(Section.COMPAT, "sk-or-1", "https://openrouter.ai/api/v1", compat_name="OpenRouter")
LOCAL = KeyFacts(Section.COMPAT, "", "http://127.0.0.1:8000/v1", compat_name="local", keyless=True)
VERTEX = KeyFacts(Section.VERTEX, "vk-1", "https://v.example/api")
GEMINI = KeyFacts(Section.GEMINI, "AIza-test")
CODEX = KeyFacts(Section.CODEX, "sk-c", "https://api.openai.com/v1", "socks5://p:1", "team", {"x-b": "2", "X-A": "1"})


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        (CLAUDE, "claude:apikey:6ddeb420187e"),
        (GEMINI, "gemini:apikey:4ce350283fc8"),
        (OPENROUTER, "openai-compatibility:openrouter:e61d0a8ce025"),
        (CODEX, "codex:apikey:d75dce924b3f"),
        (LOCAL, "openai-compatibility:local:7f6e7b6cfac1"),
        (VERTEX, "vertex:apikey:e84ea10614fa"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_id_is_the_one_of_the_stock_rule(facts: KeyFacts, expected: str) -> None:
    assert entry_id(StableIds(), facts) == expected


@pytest.mark.parametrize(("facts", "expected"), RECORDED, ids=[expected for _, expected in RECORDED])
def test_an_id_is_the_one_a_stock_gateway_was_addressed_by(facts: KeyFacts, expected: str) -> None:
    assert entry_id(StableIds(), facts) == expected


@pytest.mark.parametrize(
    ("facts", "seed", "index"),
    [
        (CLAUDE, "claude-api-key:https://api.example.com+sk-test", "b05dd67e136dc1c3"),
        (GEMINI, "gemini-api-key:+AIza-test", "279aa92e96e01e2d"),
        (OPENROUTER, "openai-compatibility:https://openrouter.ai/api/v1+sk-or-1", "9a016ae9f04dfb40"),
        (LOCAL, "id:openai-compatibility:local:7f6e7b6cfac1", "593005f1e1144acc"),
        (VERTEX, "id:vertex:apikey:e84ea10614fa", "d1ca533180eadbaf"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_index_is_the_one_of_the_stock_rule(facts: KeyFacts, seed: str, index: str) -> None:
    assert key_seed(facts, entry_id(StableIds(), facts)) == seed
    assert auth_index(seed) == index


@pytest.mark.parametrize(
    ("kind", "path", "working_directory", "index"),
    [
        ("claude", "/srv/gateway/auths/claude-a@b.c.json", "/", "112c91ac5e00fe06"),
        ("codex", "/srv/gateway/auths/codex-a@b.c.json", "/", "ddb76bcd811532c1"),
        (" Claude ", "./auths/x/../claude-a@b.c.json", "/srv/gateway", "112c91ac5e00fe06"),
    ],
)
def test_the_index_of_a_file_follows_its_type_and_its_absolute_path(
    kind: str, path: str, working_directory: str, index: str
) -> None:
    assert auth_index(file_seed(kind, path, working_directory)) == index


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        (Section.GEMINI, "gemini:apikey:45b80415b467"),
        (Section.CLAUDE, "claude:apikey:315bc90959ef"),
        (Section.CODEX, "codex:apikey:b2496399c1f0"),
    ],
)
def test_an_id_is_the_one_a_stock_gateway_v7_0_0_lists_models_under(section: Section, expected: str) -> None:
    key, base = f"sk-{section.value}-plain-1", "http://127.0.0.1:9"
    facts = KeyFacts(section, key, base, base, "team", {"X-Team": "a"})
    assert entry_id(StableIds(), facts, IdRule.KEY_AND_ADDRESS) == expected
    assert entry_id(StableIds(), facts) != expected


@pytest.mark.parametrize("facts", [VERTEX, OPENROUTER, LOCAL])
def test_vertex_and_compatible_providers_have_one_rule_in_all_releases(facts: KeyFacts) -> None:
    assert entry_id(StableIds(), facts, IdRule.KEY_AND_ADDRESS) == entry_id(StableIds(), facts)


def test_equal_entries_are_told_apart_by_their_order() -> None:
    ids = StableIds()
    assert [entry_id(ids, CLAUDE) for _ in range(3)] == [
        "claude:apikey:6ddeb420187e",
        "claude:apikey:6ddeb420187e-1",
        "claude:apikey:6ddeb420187e-2",
    ]


def test_blanks_around_a_part_do_not_move_an_id() -> None:
    padded = KeyFacts(Section.CLAUDE, " sk-test ", "https://api.example.com\n")
    assert entry_id(StableIds(), padded) == entry_id(StableIds(), CLAUDE)


def test_headers_are_sorted_by_bytes_and_ended_by_nul() -> None:
    assert headers_part({"x-b": "2", "X-A": "1"}) == "X-A\x001\x00x-b\x002\x00"
    assert headers_part({}) == ""


@pytest.mark.parametrize(
    ("name", "provider"),
    [
        ("OpenRouter", "openai-compatible-openrouter"),
        ("openai-compatible-x", "openai-compatible-x"),
        ("", "openai-compatibility"),
        ("OpenAI-Compatibility", "openai-compatibility"),
    ],
)
def test_the_provider_of_a_compatible_entry_carries_its_name(name: str, provider: str) -> None:
    assert provider_of(KeyFacts(Section.COMPAT, "k", "https://x", compat_name=name)) == provider


def test_the_provider_of_any_other_entry_is_that_of_its_section() -> None:
    assert [provider_of(KeyFacts(section, "k")) for section in (Section.CLAUDE, Section.INTERACTIONS)] == [
        "claude",
        "gemini-interactions",
    ]


def test_candidate_names_come_in_the_order_of_the_spec() -> None:
    assert candidate_names("team/a.json", "b.json", "0123") == ("team/a.json", "b.json", "0123", "a.json")


def test_candidate_names_hold_no_blank_and_no_double() -> None:
    assert candidate_names("a.json", "a.json", "") == ("a.json",)


TEXT = st.text(alphabet=st.characters(exclude_categories=["Cs"]))


@given(base=TEXT, key=TEXT)
def test_a_fingerprint_is_hex_and_holds_nothing_of_the_key(base: str, key: str) -> None:
    fingerprint = Fingerprints(b"k" * 32).of_key(Section.CLAUDE, base, key)
    assert re.fullmatch(r"[0-9a-f]{64}", fingerprint)


@given(first=st.tuples(TEXT, TEXT), second=st.tuples(TEXT, TEXT))
def test_fingerprints_are_equal_exactly_when_base_and_key_are(first: tuple[str, str], second: tuple[str, str]) -> None:
    prints = Fingerprints(b"k" * 32)
    same = [address.strip().rstrip("/") for address in (first[0], second[0])]
    keys = [secret.strip() for secret in (first[1], second[1])]
    equal = prints.of_key(Section.XAI, *first) == prints.of_key(Section.XAI, *second)
    assert equal is (same[0] == same[1] and keys[0] == keys[1])


def test_a_slash_at_the_end_of_the_address_does_not_make_another_credential() -> None:
    prints = Fingerprints(b"k" * 32)
    assert prints.of_key(Section.CLAUDE, "https://x/", "k") == prints.of_key(Section.CLAUDE, " https://x", "k ")


def test_fingerprints_differ_by_section_by_kind_and_by_installation() -> None:
    mine, other = Fingerprints(b"k" * 32), Fingerprints(b"o" * 32)
    seen = {
        mine.of_key(Section.CLAUDE, "", "k"),
        mine.of_key(Section.CODEX, "", "k"),
        mine.of_key(None, "", "k"),
        mine.of_file("k"),
        other.of_key(Section.CLAUDE, "", "k"),
    }
    assert len(seen) == 5


def test_an_installation_key_of_fifteen_bytes_is_refused_with_what_to_do() -> None:
    with pytest.raises(ValueError, match=r"secret\.key"):
        Fingerprints(b"k" * 15)


def test_facts_print_without_the_key_the_proxy_and_the_headers() -> None:
    shown = repr(CODEX)
    assert "sk-c" not in shown
    assert "socks5" not in shown
    assert "X-A" not in shown
