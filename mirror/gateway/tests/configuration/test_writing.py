import errno
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from gateway.internal.configuration.files import Identity, SystemFiles
from gateway.internal.configuration.writing import Writer
from tests.disk import Disk, PowerCut

FILE = Path("/etc/gateway/config.yaml")
OLD, NEW = b"port: 1\nhost: a\n", b"port: 2\nhost: b\nmore: c\n"
SPARE = Path("/var/auths")


def plain() -> Disk:
    return Disk({str(FILE): OLD})


def bind_mounted() -> Disk:
    disk = plain()
    disk.refuse_rename = errno.EBUSY
    return disk


def in_a_closed_folder() -> Disk:
    disk = plain()
    disk.closed = {FILE.parent}
    return disk


KINDS = pytest.mark.parametrize("make", [plain, bind_mounted, in_a_closed_folder])


def write(disk: Disk) -> None:
    Writer(disk, [SPARE]).write(FILE, NEW)


def calls_of_a_write(make: Callable[[], Disk]) -> int:
    disk = make()
    write(disk)
    return len(disk.calls)


@KINDS
def test_a_write_replaces_the_content_keeps_owner_and_mode_and_leaves_nothing_behind(make: Callable[[], Disk]) -> None:
    disk = make()
    write(disk)
    assert disk.contents == {FILE: NEW}
    assert disk.identities[FILE] == Identity(0o640, 7, 8)


@KINDS
def test_a_power_cut_at_any_call_leaves_the_old_or_the_new_content_after_recovery(make: Callable[[], Disk]) -> None:
    for number in range(1, calls_of_a_write(make) + 1):
        disk = make()
        disk.break_at = number
        with pytest.raises(PowerCut):
            write(disk)
        disk.break_at = 0
        Writer(disk, [SPARE]).recover(FILE)
        assert disk.contents[FILE] in {OLD, NEW}, number
        assert set(disk.contents) == {FILE} or disk.closed, number


@KINDS
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO])
def test_a_failing_call_is_reported_and_never_leaves_half_a_file(make: Callable[[], Disk], number: int) -> None:
    for call in range(1, calls_of_a_write(make) + 1):
        disk = make()
        disk.break_at, disk.error = call, number
        try:
            write(disk)
        except OSError:
            Writer(disk, [SPARE]).recover(FILE)
        assert disk.contents[FILE] in {OLD, NEW}, call


def test_an_in_place_write_that_fails_puts_the_old_content_back_at_once() -> None:
    disk = bind_mounted()
    disk.break_at, disk.error = 1 + disk_calls_before_overwrite(), errno.ENOSPC
    with pytest.raises(OSError, match="broken on purpose"):
        write(disk)
    assert disk.contents == {FILE: OLD}


def disk_calls_before_overwrite() -> int:
    disk = bind_mounted()
    write(disk)
    return disk.calls.index("overwrite")


def test_broken_off_writes_to_credential_files_are_found_by_their_journals() -> None:
    folder = Path("/var/auths")
    disk = Disk({str(folder / "a.json"): OLD, str(folder / "b.json"): OLD})
    disk.refuse_rename = errno.EBUSY
    disk.break_at = 1 + disk_calls_before_overwrite()
    with pytest.raises(PowerCut):
        Writer(disk).write(folder / "a.json", NEW)
    disk.break_at = 0
    Writer(disk).recover_folder(folder)
    assert disk.contents == {folder / "a.json": NEW, folder / "b.json": OLD}


@pytest.mark.parametrize("rename", [True, False])
def test_no_broken_off_write_leaves_anything_but_a_whole_credential_file(rename: bool) -> None:
    folder = Path("/var/auths")

    def broken_at(call: int) -> Disk:
        disk = Disk({str(folder / "a.json"): OLD})
        disk.refuse_rename = 0 if rename else errno.EBUSY
        disk.break_at = call
        with suppress(PowerCut):
            Writer(disk).write(folder / "a.json", NEW)
        return disk

    for call in range(len(broken_at(0).calls)):
        disk = broken_at(call + 1)
        disk.break_at = 0
        Writer(disk).recover_folder(folder)
        assert disk.contents in ({folder / "a.json": OLD}, {folder / "a.json": NEW})


def test_links_are_followed_and_stay() -> None:
    disk = plain()
    link = Path("/home/me/config.yaml")
    disk.links[link] = FILE
    Writer(disk).write(link, NEW)
    assert disk.contents == {FILE: NEW}


def test_a_file_an_operator_edited_after_a_crash_is_not_overwritten_by_the_journal() -> None:
    disk = bind_mounted()
    disk.break_at = 3
    with pytest.raises(PowerCut):
        write(disk)
    disk.break_at = 0
    disk.contents[FILE] = b"port: 3\n"
    assert Writer(disk, [SPARE]).recover(FILE) is False
    assert disk.contents == {FILE: b"port: 3\n"}


def test_a_file_that_can_neither_be_replaced_nor_journalled_is_not_touched() -> None:
    disk = in_a_closed_folder()
    with pytest.raises(PermissionError):
        Writer(disk).write(FILE, NEW)
    assert disk.contents[FILE] == OLD


def test_the_real_file_system_keeps_mode_and_link(tmp_path: Path) -> None:
    real = tmp_path / "real" / "config.yaml"
    real.parent.mkdir()
    real.write_bytes(OLD)
    real.chmod(0o640)
    link = tmp_path / "config.yaml"
    link.symlink_to(real)
    Writer(SystemFiles()).write(link, NEW)
    assert link.is_symlink()
    assert real.read_bytes() == NEW
    assert real.stat().st_mode & 0o777 == 0o640
    assert os.listdir(real.parent) == ["config.yaml"]  # noqa: PTH208 - names are what the test is about
