import pytest

from adapter.port import (
    AdmissionAttempt,
    Admitted,
    Applied,
    Change,
    Conflict,
    Denied,
    FileRef,
    Refused,
    Revision,
    errors,
)
from adapter.privacy.secret import Secret
from tests.adapter.embedded.conftest import Start

KEY = """\
# kept
claude-api-key:
  - api-key: sk-claude-one-1 # kept too
    base-url: "http://one"
"""
FILE = {"claude.json": {"type": "claude", "access_token": "token-1"}}
COMPATIBLE = 'openai-compatibility:\n  - {name: solo, base-url: "http://s", api-key-entries: [{api-key: sk-solo-1}]}\n'


async def test_a_full_disk_refuses_a_change_and_leaves_everything_as_it_was(start: Start) -> None:
    embedded = await start(KEY, FILE)
    pool = await embedded.gateway.accounts()
    before = embedded.config.read_bytes()
    embedded.files.full = True
    outcomes = await embedded.gateway.set_disabled([Change(account.ref, disabled=True) for account in pool.accounts])
    assert [type(outcome) for outcome in outcomes] == [Refused, Refused]
    assert all(isinstance(outcome, Refused) and outcome.code == "failed" and outcome.text for outcome in outcomes)
    assert embedded.config.read_bytes() == before
    assert [account.enabled for account in (await embedded.gateway.accounts()).accounts] == [True, True]


async def test_a_full_disk_keeps_the_configuration_and_says_that_it_may_not_have(start: Start) -> None:
    embedded = await start(KEY)
    document = await embedded.gateway.configuration()
    embedded.files.full = True
    with pytest.raises(errors.Unavailable, match="No space left") as caught:
        await embedded.gateway.write_configuration(Secret("debug: true\n"), document.revision)
    assert caught.value.applied == "maybe"
    assert (await embedded.gateway.configuration()) == document


async def test_a_file_that_cannot_be_removed_stays_and_the_reason_is_told(start: Start) -> None:
    embedded = await start(KEY, FILE)
    account = (await embedded.gateway.accounts()).accounts[1]
    embedded.files.full = True
    with pytest.raises(errors.Rejected, match="cannot be removed") as caught:
        await embedded.gateway.delete_file(FileRef("claude.json"), account.revision)
    assert caught.value.code == "failed"
    assert len((await embedded.gateway.accounts()).accounts) == 2


async def test_a_configuration_broken_by_a_foreign_hand_is_not_written_over(start: Start) -> None:
    embedded = await start(KEY)
    (account,) = (await embedded.gateway.accounts()).accounts
    embedded.config.write_text("claude-api-key: [", encoding="utf-8")
    (outcome,) = await embedded.gateway.set_disabled([Change(account.ref, disabled=True)])
    assert isinstance(outcome, Refused)
    assert embedded.config.read_text(encoding="utf-8") == "claude-api-key: ["


async def test_a_configuration_that_is_gone_is_not_found(start: Start) -> None:
    embedded = await start(KEY)
    embedded.config.unlink()
    with pytest.raises(errors.NotFound):
        await embedded.gateway.configuration()


async def test_a_configuration_that_is_no_text_cannot_be_read(start: Start) -> None:
    embedded = await start(KEY)
    embedded.config.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(errors.Unavailable, match="UTF-8"):
        await embedded.gateway.configuration()


async def test_a_foreign_change_not_yet_seen_is_a_conflict(start: Start) -> None:
    embedded = await start(KEY)
    (account,) = (await embedded.gateway.accounts()).accounts
    embedded.config.write_text(
        embedded.config.read_text(encoding="utf-8").replace("    base-url", "    proxy-url: direct\n    base-url"),
        encoding="utf-8",
    )
    (outcome,) = await embedded.gateway.set_disabled([Change(account.ref, disabled=True, expect=account.revision)])
    assert isinstance(outcome, Conflict)


async def test_comments_and_bytes_around_a_change_stay(start: Start) -> None:
    embedded = await start(KEY)
    before = embedded.config.read_text(encoding="utf-8")
    (account,) = (await embedded.gateway.accounts()).accounts
    (off,) = await embedded.gateway.set_disabled([Change(account.ref, disabled=True)])
    (on,) = await embedded.gateway.set_disabled([Change(account.ref, disabled=False)])
    assert isinstance(off, Applied)
    assert isinstance(on, Applied)
    assert embedded.config.read_text(encoding="utf-8") == before


async def test_the_stock_profile_refuses_compatible_providers_and_compares_revisions(start: Start) -> None:
    embedded = await start(f"management-profile: stock\n{KEY}{COMPATIBLE}", FILE)
    before = embedded.config.read_bytes()
    key, solo, file = (await embedded.gateway.accounts()).accounts
    outcomes = await embedded.gateway.set_disabled(
        [
            Change(solo.ref, disabled=True),
            Change(key.ref, disabled=True, expect=Revision("another")),
            Change(file.ref, disabled=True, expect=Revision("another")),
        ]
    )
    refused, *conflicts = outcomes
    assert isinstance(refused, Refused)
    assert refused.code == "not_switchable"
    assert conflicts == [Conflict(key.revision), Conflict(file.revision)]
    assert embedded.config.read_bytes() == before
    (applied,) = await embedded.gateway.set_disabled([Change(key.ref, disabled=True, expect=key.revision)])
    assert isinstance(applied, Applied)


async def test_without_any_secret_there_is_no_management_and_nobody_is_admitted(start: Start) -> None:
    embedded = await start(KEY)
    denied = await embedded.gateway.admit(AdmissionAttempt(Secret("any key"), "127.0.0.1"))
    assert denied == Denied(404, "")


async def test_a_key_with_letters_beyond_ascii_opens_the_gateway_that_has_it(start: Start) -> None:
    embedded = await start("remote-management: {secret-key: schlüssel-é}\n")
    assert isinstance(await embedded.gateway.admit(AdmissionAttempt(Secret("schlüssel-é"), "127.0.0.1")), Admitted)
    assert isinstance(await embedded.gateway.admit(AdmissionAttempt(Secret("schlussel-e"), "127.0.0.1")), Denied)
