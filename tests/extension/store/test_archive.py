"""Backups of a data folder: consistent while the service writes, and refused without a trace where they do not fit."""

import asyncio
import io
import sqlite3
import tarfile
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from extension.store import prices
from extension.store.archive.archives import back_up, restore
from extension.store.archive.container import DATABASE, KEY
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database
from extension.store.errors import ArchiveRefused, DataFolderUnusable, StoreError
from extension.store.installation import installation_key
from extension.store.prices import AliasRecord
from extension.store.schema.upgrade import newest_revision

NOW = 1_700_000_000_000
RECORD = AliasRecord("0" * 16, "name 0", "page", NOW)


async def filled(folder: DataFolder, names: int = 1) -> bytes:
    """A data folder with aliases; answers its key."""
    key = installation_key(folder)
    database = await Database.open(folder)
    for number in range(names):
        await database.write(partial(prices.put_alias, record=record(number)))
    await database.close()
    return key


def record(number: int) -> AliasRecord:
    return replace(RECORD, fingerprint=f"{number:016}", alias=f"name {number}")


async def stored_names(path: Path) -> list[str]:
    with DataFolder.open(path) as folder:
        database = await Database.open(folder)
        names = [alias.alias for alias in await database.read(prices.all_aliases)]
        await database.close()
        return names


async def other_of(path: Path, names: int) -> Path:
    """Return a data folder of another installation."""
    with DataFolder.open(path) as folder:
        await filled(folder, names)
    return path


async def test_a_backup_restores_the_database_and_the_keys(folder: DataFolder, tmp_path: Path) -> None:
    key = await filled(folder)
    archive = back_up(folder.path, None, tmp_path / "backup", now=NOW)

    assert archive.members == (DATABASE, "secret.key")
    assert (tmp_path / "backup").stat().st_mode & 0o777 == 0o600
    other = tmp_path / "other"
    assert restore(tmp_path / "backup", other, None, replace=False, now=NOW + 1) == archive
    assert {path.stat().st_mode & 0o777 for path in other.iterdir()} == {0o600}
    assert await stored_names(other) == ["name 0"]
    with DataFolder.open(other) as opened:
        assert installation_key(opened) == key


async def test_a_backup_made_while_the_service_writes_is_consistent(folder: DataFolder, tmp_path: Path) -> None:
    installation_key(folder)
    database = await Database.open(folder)
    written, begun = 0, asyncio.Event()

    async def write() -> None:
        nonlocal written
        while written < 300:
            await database.write(partial(prices.put_alias, record=record(written)))
            written += 1
            if written == 10:
                begun.set()

    writing = asyncio.create_task(write())
    await begun.wait()
    before = written
    await asyncio.to_thread(back_up, folder.path, None, tmp_path / "backup", now=NOW)
    after = written
    writing.cancel()
    await asyncio.gather(writing, return_exceptions=True)
    await database.close()

    restore(tmp_path / "backup", tmp_path / "other", None, replace=False, now=NOW)

    names = await stored_names(tmp_path / "other")
    assert before <= len(names) <= after + 1
    assert sorted(names) == sorted(f"name {number}" for number in range(len(names)))


async def test_a_restore_over_a_database_is_refused_unless_asked_for_and_keeps_the_old_one(
    folder: DataFolder, tmp_path: Path
) -> None:
    await filled(folder, 2)
    back_up(folder.path, None, tmp_path / "backup", now=NOW)
    other = await other_of(tmp_path / "other", 5)

    with pytest.raises(ArchiveRefused, match="--replace"):
        restore(tmp_path / "backup", other, None, replace=False, now=NOW)
    assert len(await stored_names(other)) == 5
    restore(tmp_path / "backup", other, None, replace=True, now=NOW)

    assert len(await stored_names(other)) == 2
    with closing(sqlite3.connect(other / f"{DATABASE}.before-restore-{NOW}")) as raw:
        assert raw.execute("SELECT count(*) FROM api_key_aliases").fetchone() == (5,)


async def test_a_target_that_exists_and_a_folder_without_a_database_are_refused(
    folder: DataFolder, tmp_path: Path
) -> None:
    await filled(folder)
    (tmp_path / "backup").write_text("mine")
    with pytest.raises(ArchiveRefused, match="exists already"):
        back_up(folder.path, None, tmp_path / "backup", now=NOW)
    with pytest.raises(ArchiveRefused, match="no data folder"):
        back_up(tmp_path / "nowhere", None, tmp_path / "new", now=NOW)
    assert (tmp_path / "backup").read_text() == "mine"


def rewritten(source: Path, target: Path, change: str) -> None:
    """Copy an archive with one thing changed."""
    with tarfile.open(source) as archive, tarfile.open(target, "w") as copy:
        for member in archive.getmembers():
            file = archive.extractfile(member)
            content = file.read() if file else b""
            if member.name == DATABASE:
                if change == "path outside":
                    member.name = "../evil"
                if change == "changed database":
                    content = content[:100] + b"\xff" * 2_000 + content[2_100:]
                if change == "link":
                    member.type, member.linkname, content = tarfile.SYMTYPE, "/etc/passwd", b""
                if change == "newer revision":
                    content = content.replace(newest_revision().encode(), b"9999")
            member.size = len(content)
            copy.addfile(member, io.BytesIO(content))
    if change == "cut off":
        target.write_bytes(target.read_bytes()[:20_000])


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("newer revision", "another version"),
        ("path outside", "foreign files"),
        ("changed database", "damaged|cannot be read"),
        ("link", "no file"),
        ("cut off", "damaged"),
    ],
)
async def test_a_foreign_damaged_or_newer_file_is_refused_and_changes_nothing(
    folder: DataFolder, tmp_path: Path, change: str, reason: str
) -> None:
    await filled(folder)
    back_up(folder.path, None, tmp_path / "backup", now=NOW)
    rewritten(tmp_path / "backup", tmp_path / "bad", change)
    other = await other_of(tmp_path / "other", 3)
    before = sorted(path.name for path in other.iterdir())

    for place in (other, tmp_path / "absent"):
        with pytest.raises(ArchiveRefused, match=reason):
            restore(tmp_path / "bad", place, None, replace=True, now=NOW)

    assert sorted(path.name for path in other.iterdir()) == before
    assert len(await stored_names(other)) == 3
    assert not (tmp_path / "absent").exists()


def test_an_archive_that_claims_more_than_the_disk_has_is_refused_before_it_is_written(tmp_path: Path) -> None:
    with (tmp_path / "bad").open("wb") as file:
        for name in (KEY, DATABASE):
            member = tarfile.TarInfo(name)
            member.size = 2**43 if name == DATABASE else 0
            file.write(member.tobuf(tarfile.GNU_FORMAT))
        file.truncate(2**43 + 1_536)
    with pytest.raises(ArchiveRefused, match="Make room first"):
        restore(tmp_path / "bad", tmp_path / "absent", None, replace=True, now=NOW)
    assert not (tmp_path / "absent").exists()


@pytest.mark.parametrize("content", [b"", b"not an archive", b"\0" * 10_240])
def test_a_file_of_another_program_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "bad").write_bytes(content)
    with pytest.raises(ArchiveRefused, match="no backup"):
        restore(tmp_path / "bad", tmp_path / "absent", None, replace=False, now=NOW)
    with pytest.raises(StoreError):
        restore(tmp_path / "no such file", tmp_path / "absent", None, replace=True, now=NOW)
    assert not (tmp_path / "absent").exists()


@pytest.mark.parametrize("moved", [0, 3])
async def test_a_restore_that_dies_midway_is_reported_at_the_next_start_and_can_be_repeated(
    folder: DataFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moved: int
) -> None:
    await filled(folder, 2)
    back_up(folder.path, None, tmp_path / "backup", now=NOW)
    place = await other_of(tmp_path / "other", 5)
    calls = iter(range(10))
    replaced, renamed = Path.replace, Path.rename

    def dying(self: Path, target: Path) -> Path:
        if place in self.parents and "unfinished" not in self.name and next(calls) == moved:
            raise KeyboardInterrupt
        return (renamed if "before-restore" in str(target) else replaced)(self, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", dying)
        patched.setattr(Path, "rename", dying)
        with pytest.raises(KeyboardInterrupt):
            restore(tmp_path / "backup", place, None, replace=True, now=NOW)
    with pytest.raises(DataFolderUnusable, match=r"did not end\. Run `poolkeeper restore FILE --replace` again"):
        DataFolder.open(place)
    restore(tmp_path / "backup", place, None, replace=True, now=NOW + 1)
    assert await stored_names(place) == ["name 0", "name 1"]
