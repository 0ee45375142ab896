"""The database file is copied before a migration, and only then."""

import resource
import sqlite3
from contextlib import closing

import pytest

from extension.store.data_folder import DataFolder
from extension.store.database import backup
from extension.store.database.backup import KEPT, copy_before_upgrade
from extension.store.database.database import Database
from extension.store.errors import DatabaseTrouble


@pytest.fixture
def former(folder: DataFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    """A database of the version before, which had another revision."""
    folder.private_file(folder.database)
    with closing(sqlite3.connect(folder.database)) as raw:
        raw.executescript(
            "CREATE TABLE alembic_version (version_num VARCHAR(32)); INSERT INTO alembic_version VALUES ('0025');"
            "CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES (zeroblob(20000));"
        )
    monkeypatch.setattr(backup, "known_revisions", lambda: {"0025", "0026"})


def change(folder: DataFolder, number: int) -> None:
    with sqlite3.connect(folder.database) as raw:
        raw.execute(f"PRAGMA user_version = {number}")
    raw.close()


async def test_a_new_database_and_one_of_the_newest_revision_are_not_copied(folder: DataFolder) -> None:
    for _ in range(2):
        await (await Database.open(folder)).close()
    assert not list(folder.path.glob("*.bak"))


@pytest.mark.usefixtures("former")
def test_the_copy_is_private_and_holds_the_former_revision(folder: DataFolder) -> None:
    copy_before_upgrade(folder, 1)

    (copy,) = folder.path.glob("*.bak")
    assert copy.stat().st_mode & 0o777 == 0o600
    with closing(sqlite3.connect(copy)) as raw:
        assert raw.execute("SELECT version_num FROM alembic_version").fetchone() == ("0025",)


@pytest.mark.usefixtures("former")
def test_the_newest_copies_are_kept(folder: DataFolder) -> None:
    for now in (9, 10_000, 200, 3_000_000, 70):
        change(folder, now)
        copy_before_upgrade(folder, now)
    names = sorted(path.name for path in folder.path.glob("*.bak"))
    assert len(names) == KEPT
    assert {int(name.rpartition("-")[2].removesuffix(".bak")) for name in names} == {200, 10_000, 3_000_000}


@pytest.mark.usefixtures("former")
def test_an_upgrade_that_is_tried_again_leaves_one_copy_and_the_older_ones(folder: DataFolder) -> None:
    for now in (1, 2):
        change(folder, now)
        copy_before_upgrade(folder, now)
    for again in range(3, 9):
        copy_before_upgrade(folder, again)
    times = {int(path.name.rpartition("-")[2].removesuffix(".bak")) for path in folder.path.glob("*.bak")}
    assert times == {1, 2}


@pytest.mark.usefixtures("former")
def test_without_a_copy_nothing_is_upgraded(folder: DataFolder) -> None:
    before = folder.database.read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8192, limits[1]))  # as a full disk
    try:
        with pytest.raises(DatabaseTrouble, match="could not be copied before its upgrade, and nothing was changed"):
            copy_before_upgrade(folder, 1)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert folder.database.read_bytes() == before
    assert not list(folder.path.glob("*.bak"))
