import json
import sqlite3
from pathlib import Path

import pytest

from adapter.clock import FakeClock
from adapter.fake import FakeGateway
from adapter.port import errors
from extension.engine.actions.ownership import RESTORE
from extension.engine.errors import DeleteRefused
from extension.engine.inspector import Inspector
from extension.inspection.accounts.account import Selection, Source
from extension.store.archive.archives import back_up
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database
from extension.store.deleted_files import KEPT_MS, CopySetup, DeletedFiles, prune
from extension.store.records import ActionOutcome, ActionRecord
from extension.store.sealed_documents import DocumentKind
from extension.store.sealing import Seal
from tests.extension.engine.scenario import (
    FILES,
    TWO_KEYS,
    FlyingClock,
    compat_config,
    delete_files,
    key_of,
    newest_actions,
    numbers,
    opened,
)


@pytest.fixture
def gateway() -> FakeGateway:
    return FakeGateway(compat_config(["alpha", "beta"]) + TWO_KEYS, FILES)


async def test_a_file_of_an_oauth_account_is_deleted(inspector: Inspector, gateway: FakeGateway) -> None:
    anna = (await numbers(inspector, Source.OAUTH))["anna@example.org"]
    (action,) = await delete_files(inspector, [anna], "ben", "she left")
    assert (action.action, action.outcome, action.reason.text) == ("delete", ActionOutcome.APPLIED, "she left")
    assert action.after == {"present": False}
    assert list(gateway.state.files) == ["ben.json"]
    (again,) = await delete_files(inspector, [anna], "ben")
    assert again.outcome is ActionOutcome.MISSING


async def test_a_key_among_files_is_refused_and_nothing_is_deleted(inspector: Inspector, gateway: FakeGateway) -> None:
    alpha = (await numbers(inspector))["alpha"]
    files = list((await numbers(inspector, Source.OAUTH)).values())
    with pytest.raises(DeleteRefused, match="API keys are never deleted; nothing was deleted: alpha") as caught:
        await delete_files(inspector, [*files, alpha], "anna")
    assert caught.value.names == ("alpha",)
    assert await newest_actions(inspector) == ()
    assert len(gateway.state.files) == 2
    assert key_of("alpha") in gateway.state.text


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (errors.ConflictError("It changed."), ActionOutcome.CONFLICT),
        (errors.NotFound("Not there."), ActionOutcome.MISSING),
        (errors.Unavailable("Away."), ActionOutcome.FAILED),
        (errors.TimedOut("Too slow.", applied="maybe"), ActionOutcome.UNCERTAIN),
    ],
)
async def test_a_deletion_that_does_not_succeed_says_how(
    inspector: Inspector, gateway: FakeGateway, error: errors.GatewayError, outcome: ActionOutcome
) -> None:
    anna, ben = (await numbers(inspector, Source.OAUTH)).values()
    gateway.fail("delete_file", error)
    first, second = await delete_files(inspector, [anna, ben], "eve")
    assert first.outcome is outcome
    assert second.outcome is ActionOutcome.APPLIED
    assert len(gateway.state.files) == 1


SEVERAL_KEYS = (
    "The provider pair has 2 keys and one switch for all of them: manage it in the provider settings "
    "(openai-compatibility)."
)


async def test_the_view_says_what_can_be_deleted(inspector: Inspector) -> None:
    keys = (await inspector.listing.view(Selection(Source.API_KEY))).accounts
    files = (await inspector.listing.view(Selection(Source.OAUTH))).accounts
    assert {key.deletable for key in keys} == {False}
    assert {(file.deletable, file.facts.family) for file in files} == {(True, "")}
    assert [(key.switch, key.switch_refusal.text) for key in keys if key.facts.compat_name == "pair"] == [
        ("none", SEVERAL_KEYS)
    ] * 2


TOKEN = "oauth-token-of-anna-0123456789"


async def deleted(inspector: Inspector) -> int:
    anna = (await numbers(inspector, Source.OAUTH))["anna@example.org"]
    (action,) = await delete_files(inspector, [anna], "ben")
    assert action.outcome is ActionOutcome.APPLIED
    return anna


async def restored(inspector: Inspector, account: int) -> ActionRecord:
    (action,) = (await inspector.commands.carry_out([account], RESTORE, "ben", "a mistake")).actions
    return action


async def test_a_deleted_file_is_restored_as_it_was_under_its_old_number(
    inspector: Inspector, gateway: FakeGateway
) -> None:
    anna = await deleted(inspector)
    assert [(file.account_id, file.name) for file in await inspector.commands.deleted_files()] == [(anna, "anna.json")]
    action = await restored(inspector, anna)
    assert (action.action, action.outcome, action.reason.text) == (RESTORE, ActionOutcome.APPLIED, "a mistake")
    assert gateway.state.files["anna.json"] == FILES["anna.json"]
    assert (await numbers(inspector, Source.OAUTH))["anna@example.org"] == anna
    assert await inspector.commands.deleted_files() == ()


async def test_the_copy_opens_in_a_later_process_with_the_key_of_the_installation_alone(
    tmp_path: Path, gateway: FakeGateway
) -> None:
    async with opened(tmp_path, gateway) as inspector:
        anna = await deleted(inspector)
    with DataFolder.open(tmp_path) as folder:
        database = await Database.open(folder)
        for key, is_open in ((bytes(32), True), (b"x" * 32, False)):
            setup = CopySetup(Seal(key), folder)
            files = DeletedFiles(database, setup, FlyingClock(), lambda: 1, DocumentKind.FILE)
            copy = await files.newest(anna)
            assert copy is not None
            content = await files.content(copy)
            assert (content is not None and json.loads(content.reveal()) == FILES["anna.json"]) is is_open
        await database.close()


async def test_a_file_that_exists_again_is_refused_and_nothing_is_written(
    inspector: Inspector, gateway: FakeGateway
) -> None:
    anna = await deleted(inspector)
    newer = {"type": "codex", "email": "anna@example.org", "access_token": "a newer token"}
    gateway.state.files["anna.json"] = newer
    writes = dict(gateway.writes)
    action = await restored(inspector, anna)
    assert action.outcome is ActionOutcome.REFUSED
    assert "exists again" in action.text.text
    assert gateway.state.files["anna.json"] == newer
    assert gateway.writes == writes


async def test_a_file_put_back_between_plan_and_write_is_refused_too(
    inspector: Inspector, gateway: FakeGateway
) -> None:
    anna = await deleted(inspector)
    gateway.fail("restore_file", errors.ConflictError("It is there."))
    assert (await restored(inspector, anna)).outcome is ActionOutcome.REFUSED
    assert "anna.json" not in gateway.state.files


async def test_a_file_whose_content_cannot_be_kept_is_not_deleted(
    tmp_path: Path, inspector: Inspector, gateway: FakeGateway
) -> None:
    anna = (await numbers(inspector, Source.OAUTH))["anna@example.org"]
    with sqlite3.connect(tmp_path / "poolkeeper.db") as database:
        database.execute(
            "CREATE TRIGGER full BEFORE INSERT ON sealed_documents BEGIN SELECT RAISE(ABORT, 'no room'); END"
        )
    (action,) = await delete_files(inspector, [anna], "ben")
    assert action.outcome is ActionOutcome.FAILED
    assert "cannot be kept" in action.text.text
    assert "anna.json" in gateway.state.files


async def test_a_file_that_cannot_be_read_is_not_deleted(inspector: Inspector, gateway: FakeGateway) -> None:
    anna = (await numbers(inspector, Source.OAUTH))["anna@example.org"]
    gateway.fail("read_file", errors.Unavailable("Away."))
    (action,) = await delete_files(inspector, [anna], "ben")
    assert action.outcome is ActionOutcome.FAILED
    assert "anna.json" in gateway.state.files


async def test_a_deletion_that_certainly_failed_leaves_no_copy(inspector: Inspector, gateway: FakeGateway) -> None:
    anna, ben = (await numbers(inspector, Source.OAUTH)).values()
    gateway.fail("delete_file", errors.Unavailable("Away."), errors.TimedOut("Too slow.", applied="maybe"))
    await delete_files(inspector, [anna, ben], "eve")
    assert [file.account_id for file in await inspector.commands.deleted_files()] == [ben]


async def test_after_30_days_the_copy_is_removed_and_cannot_be_restored(
    inspector: Inspector, clock: FlyingClock, gateway: FakeGateway
) -> None:
    anna = await deleted(inspector)
    assert len(await inspector.commands.deleted_files()) == 1
    clock._start_ms += KEPT_MS  # at once, for every task that waits
    assert await inspector.commands.deleted_files() == ()
    action = await restored(inspector, anna)
    assert (action.outcome, "anna.json" in gateway.state.files) == (ActionOutcome.REFUSED, False)


async def test_expired_copies_are_removed_and_others_stay(tmp_path: Path, gateway: FakeGateway) -> None:
    async with opened(tmp_path, gateway) as inspector:
        await deleted(inspector)
        (copy,) = await inspector.commands.deleted_files()
    with DataFolder.open(tmp_path) as folder:
        database = await Database.open(folder)
        clock = FakeClock(copy.kept_until - 1)
        assert await prune(database, clock) == 0
        await clock.advance(0.001)
        assert await prune(database, clock) == 1
        await database.close()


async def test_an_account_without_a_kept_file_is_refused(inspector: Inspector, gateway: FakeGateway) -> None:
    anna = (await numbers(inspector, Source.OAUTH))["anna@example.org"]
    del gateway.state.files["anna.json"]
    action = await restored(inspector, anna)
    assert (action.outcome, "no copy" in action.text.text) == (ActionOutcome.REFUSED, True)


async def test_the_content_is_in_no_record_log_or_archive(
    tmp_path: Path, gateway: FakeGateway, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data"
    async with opened(data, gateway) as inspector:
        anna = await deleted(inspector)
        (data / "secret.key").write_bytes(b"0" * 32)
        back_up(data, None, tmp_path / "backup.tar", now=1)
        shown = f"{await newest_actions(inspector)} {await inspector.commands.deleted_files()}"
        shown += f" {await inspector.event_log.events()}"
        await restored(inspector, anna)
    assert TOKEN not in shown
    assert TOKEN not in capsys.readouterr().out
    files = [path for path in (*data.rglob("*"), tmp_path / "backup.tar") if path.is_file()]
    assert files
    assert not [path for path in files if TOKEN.encode() in path.read_bytes()]
