import asyncio
import io
import json
import sqlite3
import tarfile
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from extension.store.archive.file_archive import restore_archive, restore_folder, write_archive
from extension.store.archive.manifest import DATABASE
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database
from extension.store.errors import ArchiveRefused, DataFolderUnusable, StoreError
from extension.store.installation import installation_key
from extension.store.prices import aliases
from extension.store.prices.aliases import AliasRecord

NOW = 1_700_000_000_000
RECORD = AliasRecord("0" * 16, "name 0", "page", NOW)


async def filled(folder: DataFolder, names: int = 1) -> bytes:
    """A data folder with aliases; answers its key."""
    key = installation_key(folder)
    database = await Database.open(folder)
    for number in range(names):
        await database.write(partial(aliases.put, record=record(number)))
    await database.close()
    return key


def record(number: int) -> AliasRecord:
    return replace(RECORD, fingerprint=f"{number:016}", alias=f"name {number}")


async def stored_names(folder: DataFolder) -> list[str]:
    database = await Database.open(folder)
    found = [record.alias for record in await database.read(aliases.every)]
    await database.close()
    return found


async def test_a_backup_restores_the_database_and_the_keys(folder: DataFolder, tmp_path: Path) -> None:
    key = await filled(folder)
    addresses = {"channels.json": '[{"address": "json://127.0.0.1/"}]'}
    for name, content in addresses.items():
        (folder.path / name).write_text(content)
    manifest = write_archive(folder.path, tmp_path / "backup", NOW, "1.2.3")
    assert (tmp_path / "backup").stat().st_mode & 0o777 == 0o600
    with DataFolder.open(tmp_path / "other") as other:
        assert restore_archive(tmp_path / "backup", other, replace=False, now=NOW) == manifest
        assert installation_key(other) == key
        assert await stored_names(other) == ["name 0"]
        assert {name: (other.path / name).read_text() for name in addresses} == addresses
        assert {path.stat().st_mode & 0o777 for path in other.path.iterdir()} == {0o600}


async def test_a_backup_made_while_the_service_writes_is_consistent(folder: DataFolder, tmp_path: Path) -> None:
    installation_key(folder)
    database = await Database.open(folder)
    written, begun = 0, asyncio.Event()

    async def write() -> None:
        nonlocal written
        while written < 300:
            await database.write(partial(aliases.put, record=record(written)))
            written += 1
            if written == 10:
                begun.set()

    writing = asyncio.create_task(write())
    await begun.wait()
    before = written
    await asyncio.to_thread(write_archive, folder.path, tmp_path / "backup", NOW, "1")
    after = written
    writing.cancel()
    await asyncio.gather(writing, return_exceptions=True)
    await database.close()
    with DataFolder.open(tmp_path / "other") as other:
        restore_archive(tmp_path / "backup", other, replace=False, now=NOW)
        names = await stored_names(other)
    assert before <= len(names) <= after + 1
    assert sorted(names) == sorted(f"name {number}" for number in range(len(names)))


async def test_a_restore_over_a_database_is_refused_unless_asked_for_and_keeps_the_old_one(
    folder: DataFolder, tmp_path: Path
) -> None:
    await filled(folder, 2)
    write_archive(folder.path, tmp_path / "backup", NOW, "1")
    with DataFolder.open(tmp_path / "other") as other:
        await filled(other, 5)
        with pytest.raises(ArchiveRefused, match="--replace"):
            restore_archive(tmp_path / "backup", other, replace=False, now=NOW)
        assert len(await stored_names(other)) == 5
        restore_archive(tmp_path / "backup", other, replace=True, now=NOW)
        assert len(await stored_names(other)) == 2
        kept = other.path / f"{DATABASE}.before-restore-{NOW}"
        with closing(sqlite3.connect(kept)) as raw:
            assert raw.execute("SELECT count(*) FROM api_key_aliases").fetchone() == (5,)


async def test_a_target_that_exists_and_a_folder_without_a_database_are_refused(
    folder: DataFolder, tmp_path: Path
) -> None:
    await filled(folder)
    (tmp_path / "backup").write_text("mine")
    with pytest.raises(ArchiveRefused, match="exists already"):
        write_archive(folder.path, tmp_path / "backup", NOW, "1")
    with pytest.raises(ArchiveRefused, match="no data folder"):
        write_archive(tmp_path / "nowhere", tmp_path / "new", NOW, "1")
    assert (tmp_path / "backup").read_text() == "mine"


def rewritten(source: Path, target: Path, change: str) -> None:
    """Copy an archive with one thing changed."""
    with tarfile.open(source) as archive, tarfile.open(target, "w") as copy:
        for member in archive.getmembers():
            file = archive.extractfile(member)
            content = file.read() if file else b""
            if member.name == "manifest.json":
                manifest = json.loads(content)
                if change == "newer revision":
                    manifest["revision"] = "9999"
                if change == "newer format":
                    manifest["version"] = 99
                if change == "foreign format":
                    manifest["format"] = "other"
                if change == "path outside":
                    manifest["members"]["../evil"] = "0"
                content = json.dumps(manifest).encode()
            elif change == "changed database" and member.name == DATABASE:
                content = content[:-1] + bytes([content[-1] ^ 1])
            elif change == "link" and member.name == DATABASE:
                member.type, member.linkname, content = tarfile.SYMTYPE, "/etc/passwd", b""
            member.size = len(content)
            copy.addfile(member, io.BytesIO(content))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("newer revision", "newer version"),
        ("newer format", "newer version"),
        ("foreign format", "no backup"),
        ("path outside", "foreign files"),
        ("changed database", "damaged"),
        ("link", "no file"),
    ],
)
async def test_a_foreign_damaged_or_newer_file_is_refused_and_changes_nothing(
    folder: DataFolder, tmp_path: Path, change: str, reason: str
) -> None:
    await filled(folder)
    write_archive(folder.path, tmp_path / "backup", NOW, "1")
    rewritten(tmp_path / "backup", tmp_path / "bad", change)
    with DataFolder.open(tmp_path / "other") as other:
        await filled(other, 3)
        before = sorted(path.name for path in other.path.iterdir())
        with pytest.raises(ArchiveRefused, match=reason):
            restore_archive(tmp_path / "bad", other, replace=True, now=NOW)
        assert sorted(path.name for path in other.path.iterdir()) == before
        assert len(await stored_names(other)) == 3


@pytest.mark.parametrize("content", [b"", b"not an archive", b"\0" * 10_240])
def test_a_file_of_another_program_is_refused(folder: DataFolder, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "bad").write_bytes(content)
    with pytest.raises(ArchiveRefused, match="no backup"):
        restore_archive(tmp_path / "bad", folder, replace=False, now=NOW)


@pytest.mark.parametrize("change", ["newer revision", "changed database", "link"])
async def test_a_refused_restore_leaves_no_trace(folder: DataFolder, tmp_path: Path, change: str) -> None:
    await filled(folder)
    write_archive(folder.path, tmp_path / "backup", NOW, "1")
    rewritten(tmp_path / "backup", tmp_path / "bad", change)
    empty = tmp_path / "empty"
    empty.mkdir(mode=0o700)
    for place in (tmp_path / "absent", empty):
        with pytest.raises(ArchiveRefused):
            restore_folder(tmp_path / "bad", place, replace=True, now=NOW)
    assert not (tmp_path / "absent").exists()
    assert not list(empty.iterdir())
    with pytest.raises(StoreError):
        restore_folder(tmp_path / "no such file", tmp_path / "absent", replace=True, now=NOW)
    assert not (tmp_path / "absent").exists()
    restore_folder(tmp_path / "backup", tmp_path / "absent", replace=False, now=NOW)
    assert (tmp_path / "absent" / DATABASE).exists()


@pytest.mark.parametrize("moved", range(4))
async def test_a_restore_that_dies_midway_is_reported_at_the_next_start_and_can_be_repeated(
    folder: DataFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moved: int
) -> None:
    await filled(folder, 2)
    write_archive(folder.path, tmp_path / "backup", NOW, "1")
    place = tmp_path / "other"
    with DataFolder.open(place) as other:
        await filled(other, 5)
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
            restore_folder(tmp_path / "backup", place, replace=True, now=NOW)
    with pytest.raises(DataFolderUnusable, match=r"did not end\. Run `poolkeeper restore FILE --replace` again"):
        DataFolder.open(place)
    restore_folder(tmp_path / "backup", place, replace=True, now=NOW + 1)
    with DataFolder.open(place) as other:
        assert await stored_names(other) == ["name 0", "name 1"]
