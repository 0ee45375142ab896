import dataclasses
import re

from adapter.port import FileRef, KeyRef, Section, Switch
from adapter.port.accounts import counted_requests
from tests.contract.pool import SECRETS, compat, file_of, key_of
from tests.contract.stage import Stage


async def test_every_key_and_every_file_is_an_account(stage: Stage) -> None:
    pool = await stage.gateway.accounts()
    sections = [account.ref.section for account in pool.accounts if isinstance(account.ref, KeyRef)]
    assert sections.count(Section.GEMINI) == 1
    assert sections.count(Section.CLAUDE) == 3
    assert sections.count(Section.CODEX) == 1
    assert sections.count(Section.VERTEX) == 1
    assert sorted({account.compat_name for account in pool.accounts} - {""}) == [
        "dark",
        "dead",
        "duo",
        "local",
        "solo",
        "spare",
        "twilight",
    ]
    assert {account.ref for account in pool.accounts if isinstance(account.ref, FileRef)} == {
        FileRef("claude-a@b.c.json"),
        FileRef("codex-d@e.f.json"),
    }
    assert len({account.ref for account in pool.accounts}) == len(pool.accounts)


async def test_every_key_of_a_provider_has_its_own_place(stage: Stage) -> None:
    pool = await stage.gateway.accounts()
    for name in ("duo", "twilight"):
        first, second = compat(pool, name, 0), compat(pool, name, 1)
        assert first.place == second.place
        assert (first.key_place, second.key_place) == (0, 1)
    assert compat(pool, "local").key_place is None
    assert key_of(pool, Section.CLAUDE).key_place is None


async def test_keys_of_a_switched_off_provider_are_counted_but_neither_listed_nor_probeable(stage: Stage) -> None:
    pool = await stage.gateway.accounts()
    for account in (compat(pool, "dark"), compat(pool, "twilight", 0), compat(pool, "twilight", 1)):
        assert (account.enabled, account.listed, account.probeable) == (False, False, False)
        assert account.base_url == f"{stage.address}/v1"


async def test_what_is_live_is_probeable_and_has_an_index_of_sixteen_hex_digits(stage: Stage) -> None:
    pool = await stage.gateway.accounts()
    live = [account for account in pool.accounts if account.compat_name not in {"dark", "twilight"}]
    assert all(account.probeable and re.fullmatch(r"[0-9a-f]{16}", account.auth_index) for account in live)


async def test_a_key_with_the_pattern_that_excludes_every_model_is_disabled_and_still_listed(stage: Stage) -> None:
    pool = await stage.gateway.accounts()
    off = key_of(pool, Section.CLAUDE, 2)
    assert (off.enabled, off.listed, off.probeable) == (False, True, True)
    assert key_of(pool, Section.CLAUDE, 1).enabled is True


async def test_the_switch_of_each_kind_of_account(stage: Stage) -> None:
    pool = await stage.gateway.accounts()
    assert file_of(pool, "claude-a@b.c.json").switch is Switch.FILE
    assert key_of(pool, Section.CLAUDE).switch is Switch.ENTRY
    assert key_of(pool, Section.VERTEX).switch is Switch.ENTRY
    for name in ("solo", "dark", "local", "spare"):
        assert compat(pool, name).switch is Switch.PROVIDER
        assert compat(pool, name).switch_reason == ""
    for name in ("duo", "twilight"):
        assert compat(pool, name).switch is Switch.NONE
        assert "2 keys" in compat(pool, name).switch_reason


async def test_an_entry_without_a_key_says_why_no_probe_can_prove_anything(stage: Stage) -> None:
    pool = await stage.gateway.accounts()
    silent = [compat(pool, "local"), compat(pool, "spare", 1)]
    assert [account.no_probe for account in silent] == ["keyless", "no_key"]
    assert {account.no_probe for account in pool.accounts if account not in silent} == {""}


async def test_addresses_are_shown_without_user_information_and_none_where_there_is_none(stage: Stage) -> None:
    pool = await stage.gateway.accounts()
    assert key_of(pool, Section.CODEX).base_url == stage.address
    assert key_of(pool, Section.GEMINI).base_url is None
    assert key_of(pool, Section.CLAUDE).base_url == stage.address
    assert file_of(pool, "claude-a@b.c.json").base_url is None


async def test_keys_are_runtime_only_and_files_are_not(stage: Stage) -> None:
    pool = await stage.gateway.accounts()
    for account in pool.accounts:
        assert account.runtime_only is isinstance(account.ref, KeyRef)
        assert account.account_type == ("api_key" if isinstance(account.ref, KeyRef) else "oauth")
        assert account.source_kind == ("file" if isinstance(account.ref, FileRef) else account.source_kind)


async def test_providers_labels_and_models_are_those_of_the_gateway(stage: Stage) -> None:
    pool = await stage.gateway.accounts()
    assert compat(pool, "solo").provider == "openai-compatible-solo"
    assert compat(pool, "solo").label == "solo"
    assert compat(pool, "solo").models == ("demo-model",)
    assert key_of(pool, Section.CLAUDE).provider == "claude"
    assert key_of(pool, Section.CLAUDE).label == "claude-apikey"
    assert key_of(pool, Section.CLAUDE).models == ("claude-demo",)
    assert file_of(pool, "claude-a@b.c.json").label == "a@b.c"
    assert file_of(pool, "claude-a@b.c.json").file_name == "claude-a@b.c.json"


async def test_the_project_of_a_file_is_told_and_its_account_where_the_gateway_tells_it(stage: Stage) -> None:
    pool = await stage.gateway.accounts()
    named, silent = file_of(pool, "codex-d@e.f.json"), file_of(pool, "claude-a@b.c.json")

    assert named.vendor_project == "project-of-d"
    assert named.vendor_account in {"account-of-d", ""}
    assert (silent.vendor_account, silent.vendor_project) == ("", "")


async def test_candidate_names_start_with_the_id_and_hold_the_index(stage: Stage) -> None:
    pool = await stage.gateway.accounts()
    solo = compat(pool, "solo")
    assert isinstance(solo.ref, KeyRef)
    assert solo.names == (solo.ref.entry_id, solo.auth_index)
    file = file_of(pool, "claude-a@b.c.json")
    assert file.names == ("claude-a@b.c.json", file.auth_index)


async def test_fingerprints_are_hex_and_differ_between_credentials(stage: Stage) -> None:
    pool = await stage.gateway.accounts()
    fingerprints = [account.fingerprint for account in pool.accounts]
    assert all(re.fullmatch(r"[0-9a-f]{64}", fingerprint) for fingerprint in fingerprints)
    assert len(set(fingerprints)) == len(fingerprints)


async def test_a_fingerprint_survives_what_moves_an_id(stage: Stage) -> None:
    before = compat(await stage.gateway.accounts(), "solo")
    proxy = '        proxy-url: "http://127.0.0.1:9"\n'  # part of the id of such a key in every release
    await stage.edit(lambda text: text.replace('"sk-solo-key-1111"\n', f'"sk-solo-key-1111"\n{proxy}'))
    after = compat(await stage.gateway.accounts(), "solo")
    assert after.ref != before.ref
    assert after.fingerprint == before.fingerprint
    assert after.auth_index == before.auth_index
    assert after.revision != before.revision


async def test_twins_share_fingerprint_and_index_and_are_two_accounts(stage: Stage) -> None:
    twin = f'  - api-key: "sk-claude-plain-1111"\n    base-url: "{stage.address}"\n    prefix: "twin"\n'
    await stage.edit(lambda text: text.replace("codex-api-key:\n", f"{twin}codex-api-key:\n"))
    pool = await stage.gateway.accounts()
    first, last = key_of(pool, Section.CLAUDE, 0), key_of(pool, Section.CLAUDE, 3)
    assert first.fingerprint == last.fingerprint
    assert first.auth_index == last.auth_index
    assert first.ref != last.ref


async def test_reading_twice_without_a_change_gives_the_same_revisions(stage: Stage) -> None:
    first, second = await stage.gateway.accounts(), await stage.gateway.accounts()
    assert first.revision == second.revision
    assert [account.revision for account in first.accounts] == [account.revision for account in second.accounts]


async def test_a_change_moves_the_revision_of_its_account_and_of_the_pool_only(stage: Stage) -> None:
    first = await stage.gateway.accounts()
    await stage.edit(lambda text: text.replace("claude-3-*", "claude-4-*"))
    second = await stage.gateway.accounts()
    assert first.revision != second.revision
    moved = {account.ref for account in second.accounts} - {
        account.ref
        for account, other in zip(second.accounts, first.accounts, strict=True)
        if account.revision == other.revision
    }
    assert moved == {key_of(second, Section.CLAUDE, 1).ref}


async def test_no_secret_is_in_any_record_of_the_pool(stage: Stage) -> None:
    pool = await stage.gateway.accounts()
    shown = f"{pool!r}{dataclasses.asdict(pool)!r}"
    assert [secret for secret in SECRETS if secret in shown] == []


async def test_requests_are_counted_by_index_as_the_pool_has_them(stage: Stage) -> None:
    pool = await stage.gateway.accounts()
    counted = await stage.gateway.request_counts()
    assert dict(counted) == dict(counted_requests(pool.accounts))
    assert set(counted) == {account.auth_index for account in pool.accounts} - {""}
