from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.port import Account, FileRef, KeyRef, Pool, Revision, Section
from extension.inspection.accounts.account import (
    Selection,
    Source,
    Statistics,
    classify,
    display_name,
    in_scope,
    is_api_key,
    matches,
    sample,
    statistics,
)
from extension.inspection.accounts.families import Family
from tests.extension.inspection.samples import chance, file_account, key_account

PLAIN = file_account(ref=FileRef("x"), source_kind="", account_type="", provider="somebody", file_name="")


def pool_of(*accounts: Account) -> Pool:
    return Pool(revision=Revision("p1"), read_at=0, accounts=accounts)


@pytest.mark.parametrize(
    ("account", "source"),
    [
        (replace(PLAIN, runtime_only=True), Source.API_KEY),
        (file_account(runtime_only=True), Source.API_KEY),
        (file_account(provider="claude"), Source.OAUTH),
        (file_account(provider="compatible-odd"), Source.OAUTH),
        (file_account(provider="claude-apikey", account_type=""), Source.OAUTH),
        (replace(PLAIN, account_type="oauth", provider="compatible-x"), Source.OAUTH),
        (replace(PLAIN, provider="compatible-x"), Source.API_KEY),
        (replace(PLAIN, provider="openai-compatible-x"), Source.API_KEY),
        (replace(PLAIN, provider="OpenAI-Compatible-X"), Source.API_KEY),
        (replace(PLAIN, provider="openai-compatibility"), Source.API_KEY),
        (replace(PLAIN, provider="some-apikey"), Source.API_KEY),
        (replace(PLAIN, auth_kind="api_key"), Source.API_KEY),
        (replace(PLAIN, auth_kind="apikey"), Source.API_KEY),
        (replace(PLAIN, auth_kind="oauth"), Source.OAUTH),
        (replace(PLAIN, ref=KeyRef(Section.CLAUDE, "e"), provider="claude"), Source.API_KEY),
        *((replace(PLAIN, provider=name), Source.OAUTH) for name in ("claude", "codex", "gemini", "vertex", "xai")),
    ],
)
def test_every_account_has_the_source_the_rules_give_it_in_their_order(account: Account, source: Source) -> None:
    assert classify(account) is source


@pytest.mark.parametrize("name", ["claude", "codex", "gemini", "vertex", "xai"])
def test_a_vendors_plain_name_does_not_mean_an_api_key(name: str) -> None:
    assert not is_api_key(replace(PLAIN, provider=name))


@pytest.mark.parametrize(
    ("label", "compat_name", "provider", "shown"),
    [
        ("Label", "compat", "provider", "Label"),
        ("", "compat", "provider", "compat"),
        (" ", "", "provider", "provider"),
        ("", "", "", ""),
    ],
)
def test_the_display_name_is_label_then_compat_name_then_provider(
    label: str, compat_name: str, provider: str, shown: str
) -> None:
    assert display_name(key_account(label=label, compat_name=compat_name, provider=provider)) == shown


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz0123456789", min_size=8, max_size=60))
def test_a_key_used_as_a_name_is_never_shown(secret: str) -> None:
    shown = display_name(key_account(label=f"sk-{secret}"))

    assert all(secret[start : start + 5] not in shown for start in range(len(secret) - 4))


FILTERED = key_account(
    provider="openai-compatible-North",
    label="Label of East",
    compat_name="South",
    base_url="https://west.example/v1",
    file_name="entry-up.json",
)


@pytest.mark.parametrize("search", ["north", "EAST", "sou", "west.example", "UP.json", "", "  ", " south "])
def test_the_filter_finds_a_part_of_each_of_five_fields_in_any_case(search: str) -> None:
    assert matches(FILTERED, search)


@pytest.mark.parametrize("search", ["0123456789abcdef", "entry-1", "r1", "elsewhere"])
def test_the_filter_looks_at_no_other_field(search: str) -> None:
    assert not matches(FILTERED, search)


COMPAT = key_account(Section.COMPAT, label="Relay one")
CLAUDE = key_account(Section.CLAUDE, label="Relay two", enabled=False)
STRANGE = key_account(None, label="Strange", enabled=None)
FILE = file_account()
KIMI = file_account(provider="kimi", enabled=False)
POOL = pool_of(COMPAT, CLAUDE, STRANGE, FILE, KIMI)


@pytest.mark.parametrize(
    ("selection", "chosen"),
    [
        (Selection(Source.API_KEY), (COMPAT, CLAUDE, STRANGE)),
        (Selection(Source.API_KEY, "compat"), (COMPAT,)),
        (Selection(Source.API_KEY, "vendor-b-apikey"), (CLAUDE,)),
        (Selection(Source.API_KEY, "vendor-a-apikey"), ()),
        (Selection(Source.API_KEY, "all", "relay"), (COMPAT, CLAUDE)),
        (Selection(Source.API_KEY, "compat", "two"), ()),
        (Selection(Source.OAUTH), (FILE, KIMI)),
        (Selection(Source.OAUTH, "kimi"), (KIMI,)),
        (Selection(Source.OAUTH, "all", "relay"), (FILE, KIMI)),
    ],
)
def test_source_family_and_filter_choose_accounts(selection: Selection, chosen: tuple[Account, ...]) -> None:
    assert tuple(account for account in POOL.accounts if in_scope(account, selection)) == chosen


def test_a_provider_without_family_is_counted_under_all_only() -> None:
    families = [family for family in Family if in_scope(STRANGE, Selection(Source.API_KEY, family.value))]

    assert families == [Family.ALL]


def test_the_capsule_counts_hidden_and_unknown_accounts_in_the_total() -> None:
    hidden = key_account(enabled=False, listed=False, probeable=False)

    assert statistics(account.enabled for account in (COMPAT, CLAUDE, STRANGE, hidden)) == Statistics(
        total=4, enabled=1, disabled=2
    )


@given(st.integers(0, 12), st.integers(0, 12), st.integers())
def test_a_sample_has_the_size_asked_for_and_keeps_the_order(count: int, size: int, seed: int) -> None:
    accounts = [key_account(label=str(number)) for number in range(count)]

    chosen = sample(accounts, size, chance(seed))

    assert len(chosen) == (count if size == 0 else min(size, count))
    assert [accounts.index(account) for account in chosen] == sorted(accounts.index(account) for account in chosen)
