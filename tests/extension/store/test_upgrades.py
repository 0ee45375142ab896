"""Databases as older versions left them are taken over with all that is in them."""

import sqlite3
from pathlib import Path

import pytest

from extension.store.actions import actions, held
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database, Transaction
from extension.store.pool import warnings
from extension.store.runs import results, runs, schedules
from extension.store.schema import migrations

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

    def look(transaction: Transaction) -> None:
        (run,) = runs.recent(transaction, 1, 10)
        refused, well = results.of_run(transaction, run.id, 0, 10)
        assert (run.verdicts, run.done, run.schedule_id) == ({"unauthorised": 1, "healthy": 1}, 2, None)
        assert [refused.verdict, well.verdict] == ["unauthorised", "healthy"]
        assert (refused.attempts[0].status, refused.headers) == (401, {"retry-after": "3"})
        assert (refused.revisions, refused.windows, refused.resets_at) == ((), (), None)
        (action,) = actions.recent(transaction, 1, 10)
        assert (action.actor, action.outcome, action.run_id, action.cause) == ("anna", "applied", 1, "request")
        (warning,) = warnings.of_pool(transaction, 1)
        assert warning.subject == "odd.json"
        assert [each.account_id for each in held.of_run(transaction, run.id)] == ([1] if revision >= "0002" else [])
        names = [schedule.name for schedule in schedules.all_of(transaction, 1)]
        assert names == (["nightly"] if revision >= "0003" else [])

    await database.read(look)
    await database.close()


def test_there_is_a_dump_of_every_revision_but_the_newest() -> None:
    versions = Path(migrations.__file__).parent / "versions"
    revisions = sorted(path.name[:4] for path in versions.glob("[0-9]*.py"))

    assert sorted(dump.stem for dump in DUMPS.glob("*.sql")) == revisions[:-1]
