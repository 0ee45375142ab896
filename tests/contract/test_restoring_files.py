import json

import pytest

from adapter.port import FileRef, Revision, errors
from adapter.privacy.secret import Secret
from tests.contract.pool import file_of
from tests.contract.stage import Stage

NAME = "claude-a@b.c.json"
DISABLED = "codex-d@e.f.json"


async def _deleted(stage: Stage, name: str) -> Secret:
    account = file_of(await stage.gateway.accounts(), name)
    content = await stage.gateway.read_file(FileRef(name), account.revision)
    await stage.gateway.delete_file(FileRef(name), account.revision)
    return content


@pytest.mark.parametrize("name", [NAME, DISABLED])
async def test_a_deleted_file_written_back_holds_what_it_held(stage: Stage, name: str) -> None:
    before, listed = stage.file(name), file_of(await stage.gateway.accounts(), name)
    await stage.gateway.restore_file(FileRef(name), await _deleted(stage, name))
    assert before is not None
    assert stage.file(name) == {"disabled": False, **before} or stage.file(name) == before
    again = file_of(await stage.gateway.accounts(), name)
    assert (again.fingerprint, again.auth_index, again.enabled) == (
        listed.fingerprint,
        listed.auth_index,
        listed.enabled,
    )


async def test_a_file_that_exists_again_is_not_overwritten(stage: Stage) -> None:
    content = await _deleted(stage, NAME)
    # a stock gateway rewrites a new file that does not say whether it is disabled, at a moment of its own
    newer = {"type": "claude", "email": "a@b.c", "access_token": "a new token 3333", "disabled": False}
    await stage.put_file(NAME, newer)
    text = stage.file_text(NAME)
    with pytest.raises(errors.ConflictError) as caught:
        await stage.gateway.restore_file(FileRef(NAME), content)
    assert stage.file_text(NAME) == text
    assert caught.value.applied == "no"


async def test_a_file_that_changed_since_it_was_listed_is_not_read(stage: Stage) -> None:
    with pytest.raises(errors.ConflictError):
        await stage.gateway.read_file(FileRef(NAME), Revision("another"))


@pytest.mark.parametrize("name", ["nobody.json", "../config.yaml"])
async def test_a_file_that_is_not_there_is_not_read(stage: Stage, name: str) -> None:
    with pytest.raises(errors.NotFound):
        await stage.gateway.read_file(FileRef(name), Revision("any"))


@pytest.mark.parametrize("name", ["../config.yaml", "../outside.json", "plain.txt"])
async def test_a_name_that_is_not_one_of_an_auth_file_is_refused(stage: Stage, name: str) -> None:
    text = stage.text()
    with pytest.raises(errors.GatewayError) as caught:
        await stage.gateway.restore_file(FileRef(name), Secret(json.dumps({"type": "claude"})))
    assert caught.value.applied == "no"
    assert stage.text() == text


async def test_a_content_that_is_no_object_is_refused(stage: Stage) -> None:
    with pytest.raises(errors.GatewayError):
        await stage.gateway.restore_file(FileRef("new.json"), Secret("[]"))
    assert stage.file("new.json") is None


async def test_the_content_that_was_read_is_not_shown(stage: Stage) -> None:
    account = file_of(await stage.gateway.accounts(), NAME)
    content = await stage.gateway.read_file(FileRef(NAME), account.revision)
    assert "access_token" in content.reveal()
    assert "access_token" not in f"{content} {content!r}"
