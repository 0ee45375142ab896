"""Databases as older versions left them are taken over with all that is in them."""

import re
import sqlite3
from functools import partial
from pathlib import Path

import psycopg
import pytest

from adapter.privacy.secret import Secret
from extension.inspection.evidence.verdict import Verdict
from extension.store import events
from extension.store.actions import held, search
from extension.store.actions.search import ActionFilter
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database, Transaction
from extension.store.database.postgresql import PostgreSQLStorage
from extension.store.database.sqlite import SQLiteStorage
from extension.store.notifications import deliveries
from extension.store.pool import accounts, warnings
from extension.store.prices import aliases
from extension.store.runs import results, runs, schedules
from extension.store.schema import migrations
from extension.store.schema.renamed_tokens import ACCOUNT_FLAGS, MESSAGES, VERDICTS
from extension.store.schema.upgrade import upgrade_to_head
from tests.extension.store.rows import add_run

DUMPS = Path(__file__).parent / "dumps"


def restored(folder: DataFolder, revision: str) -> None:
    folder.private_file(folder.database)
    raw = sqlite3.connect(folder.database)
    raw.executescript((DUMPS / f"{revision}.sql").read_text(encoding="utf-8"))
    raw.close()


@pytest.mark.parametrize("revision", sorted(dump.stem for dump in DUMPS.glob("*.sql")))
async def test_an_older_database_is_upgraded_with_everything_that_it_holds(folder: DataFolder, revision: str) -> None:
    restored(folder, revision)
    database = await Database.open(folder)
    await database.read(partial(look, revision=revision))
    await database.close()


@pytest.mark.parametrize("revision", sorted(dump.stem for dump in (DUMPS / "postgresql").glob("*.sql")))
async def test_an_older_postgresql_database_is_upgraded_with_everything_that_it_holds(
    folder: DataFolder, postgresql_address: str, revision: str
) -> None:
    script = (DUMPS / "postgresql" / f"{revision}.sql").read_text(encoding="utf-8")
    with psycopg.connect(postgresql_address) as connection:
        connection.execute(script.encode())
    database = await Database.open(folder, storage=PostgreSQLStorage(Secret(postgresql_address)))
    await database.read(partial(look, revision=revision))
    assert [alias.alias for alias in await database.read(aliases.every)] == ["team"]
    await database.write(lambda transaction: add_run(transaction, 1, ()))
    await database.close()


def look(transaction: Transaction, revision: str) -> None:
    """Look at everything that the dumps hold."""
    (run,) = runs.recent(transaction, 1, 10)
    refused, well = results.of_run(transaction, run.id, 0, 10)
    assert (run.verdicts, run.done, run.schedule_id) == ({"invalid_key": 1, "healthy": 1}, 2, None)
    assert [refused.verdict, well.verdict] == ["invalid_key", "healthy"]
    assert (refused.attempts[0].status, refused.headers) == (401, {"retry-after": "3"})
    assert (refused.revisions, refused.windows, refused.resets_at) == ((), (), None)
    assert (refused.reason.items, refused.reason.text) == ((), refused.reason.written)
    (action,) = search.page(transaction, 1, ActionFilter(), before=None, limit=10).actions
    assert (action.actor, action.outcome, action.run_id, action.cause) == ("anna", "applied", 1, "request")
    (warning,) = warnings.of_pool(transaction, 1)
    assert warning.subject == "odd.json"
    assert [each.account_id for each in held.of_run(transaction, run.id)] == ([1] if revision >= "0002" else [])
    names = [schedule.name for schedule in schedules.all_of(transaction, 1)]
    assert names == (["nightly"] if revision >= "0003" else [])
    assert [account.managed for account in accounts.all_of(transaction, 1).values()] == [False, revision >= "0005"]
    last = deliveries.last(transaction, 1)
    assert (last and last.kind) == ("inspection.changed" if revision >= "0005" else None)
    if revision >= "0005":
        assert action.evidence["verdict"] == "invalid_key"
        (progress,) = events.after(transaction, 1, run.id, 10)
        assert progress.data["verdicts"] == {"invalid_key": 1, "healthy": 1}


def test_no_old_token_is_left_anywhere_after_the_upgrade(folder: DataFolder) -> None:
    restored(folder, "0005")
    engine = SQLiteStorage(folder).migrating_engine()
    with engine.begin() as transaction:
        upgrade_to_head(transaction)
    engine.dispose()

    with sqlite3.connect(folder.database) as raw:
        left = "\n".join(raw.iterdump())
    raw.close()
    for old in (*VERDICTS, *MESSAGES, *ACCOUNT_FLAGS):
        assert not re.search(rf"(?<![A-Za-z_.]){re.escape(old)}(?![A-Za-z_.])", left), old


def test_the_renamed_tokens_are_verdicts_and_the_old_ones_are_not() -> None:
    known = {verdict.value for verdict in Verdict}

    assert set(VERDICTS.values()) <= known
    assert not known & set(VERDICTS)


def test_there_is_a_dump_of_every_revision_but_the_newest() -> None:
    versions = Path(migrations.__file__).parent / "versions"
    revisions = sorted(path.name[:4] for path in versions.glob("*/[0-9]*.py"))

    assert sorted(dump.stem for dump in DUMPS.glob("*.sql")) == revisions[:-1]
    from_the_first_with_postgresql = [revision for revision in revisions[:-1] if revision >= "0013"]
    assert sorted(dump.stem for dump in (DUMPS / "postgresql").glob("*.sql")) == from_the_first_with_postgresql
