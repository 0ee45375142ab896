import inspect

import pytest

from adapter.port import Accounts, FileRef, Revision, errors
from tests.contract.pool import file_of
from tests.contract.stage import Stage

NAME = "claude-a@b.c.json"


async def test_a_deleted_file_is_gone_from_the_pool_and_from_the_disk(stage: Stage) -> None:
    account = file_of(await stage.gateway.accounts(), NAME)
    await stage.gateway.delete_file(FileRef(NAME), account.revision)
    assert stage.file(NAME) is None
    refs = [account.ref for account in (await stage.gateway.accounts()).accounts]
    assert FileRef(NAME) not in refs
    assert FileRef("codex-d@e.f.json") in refs


async def test_a_disabled_file_can_be_deleted(stage: Stage) -> None:
    account = file_of(await stage.gateway.accounts(), "codex-d@e.f.json")
    await stage.gateway.delete_file(FileRef("codex-d@e.f.json"), account.revision)
    assert stage.file("codex-d@e.f.json") is None


async def test_another_revision_than_expected_keeps_the_file(stage: Stage) -> None:
    with pytest.raises(errors.ConflictError):
        await stage.gateway.delete_file(FileRef(NAME), Revision("another"))
    assert stage.file(NAME) is not None


async def test_a_file_that_changed_since_it_was_listed_is_kept(stage: Stage) -> None:
    account = file_of(await stage.gateway.accounts(), NAME)
    await stage.put_file(NAME, {"type": "claude", "email": "a@b.c", "access_token": "a new token 3333"})
    with pytest.raises(errors.ConflictError):
        await stage.gateway.delete_file(FileRef(NAME), account.revision)
    assert stage.file(NAME) is not None


@pytest.mark.parametrize("name", ["nobody.json", "../config.yaml", "", "claude-a"])
async def test_a_file_that_is_not_there_is_not_found(stage: Stage, name: str) -> None:
    with pytest.raises(errors.NotFound) as caught:
        await stage.gateway.delete_file(FileRef(name), Revision("any"))
    assert caught.value.applied == "no"


async def test_a_key_named_as_a_file_is_not_found_and_stays(stage: Stage) -> None:
    text = stage.text()
    for account in (await stage.gateway.accounts()).accounts:
        if isinstance(account.ref, FileRef):
            continue
        with pytest.raises(errors.NotFound):
            await stage.gateway.delete_file(FileRef(account.ref.entry_id), account.revision)
    assert stage.text() == text


def test_there_is_no_verb_that_deletes_a_key() -> None:
    verbs = [name for name, _ in inspect.getmembers(Accounts, inspect.isfunction) if not name.startswith("_")]
    assert verbs == ["accounts", "delete_file", "read_file", "request_counts", "restore_file", "set_disabled"]
    assert inspect.signature(Accounts.delete_file).parameters["file"].annotation is FileRef
