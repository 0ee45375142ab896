"""Sentences that earlier versions stored for ended runs and batches become codes, and none is lost."""

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from functools import partial
from string import Formatter
from typing import Any

import pytest
from alembic.command import downgrade, upgrade
from sqlalchemy import select, text

from extension.reasons.codes import ReasonCode
from extension.reasons.reason import NO_REASON, ReasonList, because
from extension.reasons.texts import REASON_TEXTS
from extension.store import events
from extension.store.actions import batches
from extension.store.batch_records import BatchState
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database, Transaction
from extension.store.database.sqlite import SQLiteStorage
from extension.store.database.storage import Storage
from extension.store.records import ActorKind, Cause, EventKind
from extension.store.run_state import RunState
from extension.store.runs import runs
from extension.store.schema import upgrade as schema
from extension.store.schema.former_reasons import FORMER_REASONS, reasons_of, text_of
from extension.store.schema.tables import METADATA
from tests.extension.store.rows import add_pool, add_run

FULL = "The database refused: disk full. Check the free space and the files of the data folder."
GATEWAY = "The gateway at http://127.0.0.1:8317 did not answer in time. Is it overloaded?"
LOWERED = "Max concurrency was 4 instead of 32: the process may not open more files (ulimit -n)."
UNKNOWN = "A text with {braces}\nof unknown origin."

FORMER: tuple[tuple[str, str, ReasonList], ...] = (
    ("stopped", "Stopped by command.", because(ReasonCode.STOPPED)),
    ("finished", "Finished early by command.", because(ReasonCode.FINISHED_EARLY)),
    ("finished", LOWERED, because(ReasonCode.CONCURRENCY_LOWERED, most=4, limit=32)),
    ("interrupted", "The work on it was cancelled.", because(ReasonCode.WORK_CANCELED)),
    ("interrupted", "The service was closed during the run.", because(ReasonCode.SERVICE_CLOSED)),
    ("interrupted", "The service was closed while the run was under way.", because(ReasonCode.SERVICE_CLOSED)),
    (
        "interrupted",
        "The service ended, or could not write to its database, during the run.",
        because(ReasonCode.SERVICE_ENDED),
    ),
    (
        "interrupted",
        "The service ended, or could not store any more, while the run was under way.",
        because(ReasonCode.SERVICE_ENDED),
    ),
    ("interrupted", f"Its end could not be stored: {FULL}", because(ReasonCode.END_NOT_STORED, problem=FULL)),
    ("interrupted", FULL, because(ReasonCode.ENDED_BY_TROUBLE, said=FULL)),
    ("failed", FULL, because(ReasonCode.ENDED_BY_TROUBLE, said=FULL)),
    ("failed", GATEWAY, because(ReasonCode.ENDED_BY_TROUBLE, said=GATEWAY)),
    (
        "failed",
        "An internal error (KeyError) ended it. See the service's log.",
        because(ReasonCode.ENDED_BY_ERROR, error="KeyError"),
    ),
    ("failed", "An internal error (KeyError) ended it.", because(ReasonCode.ENDED_BY_ERROR, error="KeyError")),
    ("stopped", UNKNOWN, because(ReasonCode.OTHER, text=UNKNOWN)),
    ("finished", "", NO_REASON),
)
"""State, text of an earlier version, and the reason that it becomes."""

OLDER = "0018"


Changes = Sequence[tuple[str, Mapping[str, Any]]]
"""Statements with their values."""


def migrate(storage: Storage, revision: str, changes: Changes = ()) -> None:
    """Bring a database to a revision, and change its rows there."""
    engine = storage.migrating_engine()
    with engine.begin() as connection:
        config = schema.configuration()
        config.attributes["connection"] = connection
        (upgrade if revision == "head" else downgrade)(config, revision)
        for statement, values in changes:
            connection.execute(text(statement), values)
    engine.dispose()


def as_older() -> Changes:
    """Return the changes that store runs and batches as an earlier version did."""
    values = [{"number": n, "state": state, "said": said} for n, (state, said, _) in enumerate(FORMER, 1)]
    failed = [each for each in values if each["state"] == BatchState.FAILED]
    return [
        *(("UPDATE runs SET state = :state, reason = :said WHERE id = :number", each) for each in values),
        *(("UPDATE batches SET state = :state, reason = :said WHERE id = :number", each) for each in failed),
    ]


def add_rows(transaction: Transaction) -> None:
    """Store a run, its event and a batch for each sentence."""
    pool_id = add_pool(transaction)
    for _ in FORMER:
        run = add_run(transaction, pool_id, ())
        runs.set_state(transaction, run.id, RunState.FINISHED, reason=NO_REASON, finished_at=1, owner="owner")
        batches.create(transaction, pool_id, batches.NewBatch(Cause.REQUEST, "anna", ActorKind.PERSON, None), 1)


@pytest.mark.parametrize(("state", "sentence", "reason"), FORMER)
def test_a_sentence_of_an_earlier_version_has_a_code(state: str, sentence: str, reason: ReasonList) -> None:
    assert reasons_of(sentence, state) == reason.as_json()


def test_every_former_sentence_is_tried_here() -> None:
    tried = {code for _, sentence, _ in FORMER for code in (each["code"] for each in reasons_of(sentence, ""))}

    assert {code for code, _ in FORMER_REASONS} < tried
    assert len(FORMER_REASONS) == len({sentence for _, sentence in FORMER_REASONS})


def test_every_former_code_is_known_and_has_the_parameters_of_its_sentence() -> None:
    for code, sentence in FORMER_REASONS:
        known = REASON_TEXTS[ReasonCode(code)]
        assert {name for _, name, _, _ in Formatter().parse(sentence)} == {
            name for _, name, _, _ in Formatter().parse(known)
        }, code


async def test_all_former_sentences_become_codes_in_runs_and_batches(database: Database, storage: Storage) -> None:
    await database.write(add_rows)
    migrate(storage, OLDER, as_older())

    migrate(storage, "head")

    found = reversed(await database.read(lambda transaction: runs.recent(transaction, 1, 100)))
    assert [(run.state, run.reason) for run in found] == [(state, reason) for state, _, reason in FORMER]
    known = reversed(await database.read(lambda transaction: batches.recent(transaction, 1, None, 100)))
    assert [batch.reason for batch in known] == [
        reason if state == BatchState.FAILED else NO_REASON for state, _, reason in FORMER
    ]
    assert await database.read(sentences_left) == {""}


def sentences_left(transaction: Transaction) -> set[str]:
    """Return the sentences beside the codes."""
    return set(transaction.execute(text("SELECT reason FROM runs UNION SELECT reason FROM batches")).scalars())


async def test_the_events_of_ended_runs_get_the_codes_too(database: Database, storage: Storage) -> None:
    await database.write(add_rows)
    former = {"run": 1, "state": "failed", "done": 0, "total": 0, "reason": GATEWAY}
    kept = {"run": 1, "state": "running", "done": 0, "total": 0, "reason": ""}
    for data in (former, kept):
        await database.write(partial(events.append, at=1, kind=EventKind.RUN_STATE, run_id=1, data=data))
    migrate(storage, OLDER)

    migrate(storage, "head")

    first, second = await database.read(lambda transaction: events.after(transaction, 0, 1, 10))
    said = because(ReasonCode.ENDED_BY_TROUBLE, said=GATEWAY)
    assert (first.data, second.data) == ({**former, "reasons": said.as_json()}, kept)


async def test_a_version_before_reads_the_sentences_again(database: Database, storage: Storage) -> None:
    await database.write(add_rows)
    migrate(storage, OLDER, as_older())
    migrate(storage, "head")

    migrate(storage, OLDER)

    stored = await database.read(
        lambda transaction: transaction.execute(text("SELECT reason FROM runs")).scalars().all()
    )
    latest = [text_of(reason.as_json()) for _, _, reason in FORMER]
    assert sorted(stored) == sorted(latest)
    assert {GATEWAY, LOWERED, FULL, UNKNOWN} < set(stored)


async def test_a_sentence_of_an_earlier_process_that_shares_the_database_is_shown(database: Database) -> None:
    await database.write(add_rows)
    await database.write(
        lambda transaction: transaction.execute(text("UPDATE runs SET reason = 'Stopped by command.' WHERE id = 1"))
    )

    run = await database.read(lambda transaction: runs.get(transaction, 1, 1))

    assert run is not None
    assert (run.reason.items, run.reason.text) == ((), "Stopped by command.")


@pytest.mark.parametrize("table", ["runs", "batches"])
async def test_the_number_of_a_deleted_run_or_batch_is_not_given_again(
    database: Database, storage: Storage, table: str
) -> None:
    await database.write(add_rows)
    migrate(storage, OLDER, [(f"DELETE FROM {table} WHERE id = :number", {"number": len(FORMER)})])  # noqa: S608

    migrate(storage, "head")

    await database.write(add_rows)
    numbers = await database.read(
        lambda transaction: transaction.execute(select(METADATA.tables[table].c.id)).scalars().all()
    )
    assert sorted(numbers) == [*range(1, len(FORMER)), *range(len(FORMER) + 1, 2 * len(FORMER) + 1)]


async def test_the_file_is_copied_with_its_sentences_before_they_become_codes(folder: DataFolder) -> None:
    database = await Database.open(folder)
    await database.write(add_rows)
    await database.close()
    migrate(SQLiteStorage(folder), OLDER, as_older())

    await (await Database.open(folder)).close()

    (copy,) = folder.path.glob("*.bak")
    with closing(sqlite3.connect(copy)) as raw:
        kept = [row[0] for row in raw.execute("SELECT reason FROM runs ORDER BY id")]
    assert kept == [said for _, said, _ in FORMER]
