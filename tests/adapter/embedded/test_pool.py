from gateway.internal.operations.listing import list_entries

from adapter.port import KeyRef, Section, Switch
from tests.adapter.embedded.conftest import Start

POOL = """\
claude-api-key:
  - {api-key: sk-claude-one-1, base-url: "http://one"}
  - {api-key: sk-claude-two-2, base-url: "http://two", excluded-models: ["*"]}
openai-compatibility:
  - {name: solo, base-url: "http://solo", api-key-entries: [{api-key: sk-solo-1}]}
  - {name: dark, disabled: true, base-url: "http://dark", api-key-entries: [{api-key: sk-dark-1}]}
"""
FILE = {"claude.json": {"type": "claude", "access_token": "token-1", "email": "a@b.c"}}


async def test_what_is_listed_is_exactly_what_the_gateway_lists(start: Start) -> None:
    embedded = await start(POOL, FILE)
    entries = await list_entries(embedded.runtime)
    accounts = [listed for listed in (await embedded.gateway.accounts()).accounts if listed.listed]
    assert sorted(listed.names[0] for listed in accounts) == sorted(entry.credential.id for entry in entries)
    for entry in entries:
        (account,) = [listed for listed in accounts if listed.names[0] == entry.credential.id]
        assert account.auth_index == entry.fields["auth_index"]
        assert account.provider == entry.fields["provider"]
        assert account.label == entry.fields["label"]
        assert account.runtime_only is entry.fields["runtime_only"]
        assert account.enabled is not entry.fields["disabled"]
        assert account.account_type == entry.fields["account_type"]


async def test_the_stock_profile_lists_files_only_and_its_keys_are_still_accounts(start: Start) -> None:
    embedded = await start(f"management-profile: stock\n{POOL}", FILE)
    entries = await list_entries(embedded.runtime)
    accounts = (await embedded.gateway.accounts()).accounts
    assert [listed.names[0] for listed in accounts if listed.listed] == [entry.credential.id for entry in entries]
    assert len(accounts) == 5
    assert [listed.probeable for listed in accounts] == [True, True, True, True, False]


async def test_the_stock_profile_switches_no_compatible_provider_and_says_so(start: Start) -> None:
    embedded = await start(f"management-profile: stock\n{POOL}")
    accounts = (await embedded.gateway.accounts()).accounts
    compatible = [key for key in accounts if isinstance(key.ref, KeyRef) and key.ref.section is Section.COMPAT]
    assert {key.switch for key in compatible} == {Switch.NONE}
    assert all("stock profile" in key.switch_reason for key in compatible)


async def test_activity_is_what_the_gateway_counted(start: Start) -> None:
    embedded = await start(POOL)
    account = (await embedded.gateway.accounts()).accounts[0]
    for success in (True, True, False):
        embedded.runtime.activity.record(account.names[0], success=success)
    (seen, *_) = (await embedded.gateway.accounts()).accounts
    assert (seen.activity.successes, seen.activity.failures, seen.activity.cooling_until) == (2, 1, None)
    assert seen.revision == account.revision


async def test_the_pool_says_when_it_was_read(start: Start) -> None:
    embedded = await start(POOL)
    await embedded.clock.advance(2)
    assert (await embedded.gateway.accounts()).read_at == 3_000


async def test_a_hidden_entry_whose_id_a_live_one_has_is_skipped_with_the_reason(start: Start) -> None:
    twin = '{name: same, base-url: "http://same", api-key-entries: [{api-key: sk-same-1}]'
    embedded = await start(f"openai-compatibility:\n  - {twin}, disabled: true}}\n  - {twin}}}\n")
    pool = await embedded.gateway.accounts()
    assert [only.enabled for only in pool.accounts] == [True]
    assert [(skipped.name, "has its id" in skipped.reason) for skipped in pool.skipped] == [("same", True)]


async def test_reading_writes_nothing(start: Start) -> None:
    embedded = await start(POOL, FILE)
    before = embedded.config.stat().st_mtime_ns, embedded.config.read_bytes()
    await embedded.gateway.accounts()
    await embedded.gateway.configuration()
    assert (embedded.config.stat().st_mtime_ns, embedded.config.read_bytes()) == before


async def test_a_file_that_is_no_credential_is_named_with_the_reason(start: Start) -> None:
    embedded = await start(POOL, {**FILE, "broken.json": ["no object"]})
    pool = await embedded.gateway.accounts()
    assert [(skipped.name, "no JSON object" in skipped.reason) for skipped in pool.skipped] == [("broken.json", True)]
