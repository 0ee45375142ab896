from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.recheck.stand_in import ANSWER, PROGRAM, Tree, account_of

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]
DAY = 24 * 60 * 60
ANOTHER_USER = 65534


def twice(tree: Tree) -> list[bool]:
    return [tree.ask().repeated, tree.ask().repeated]


@pytest.mark.parametrize(
    "change",
    [
        pytest.param("printf x >>one", id="content"),
        pytest.param("chmod 600 one", id="mode"),
        pytest.param("touch empty/new", id="new file"),
        pytest.param("rm deep/three", id="removed file"),
        pytest.param("touch -d 2100-01-01 one", id="time of the future"),
    ],
)
def test_what_changes_while_the_command_runs_keeps_no_answer(tree: Tree, change: str) -> None:
    tree.tell(("tree", tree.root), more=change)
    tree.ask()

    assert tree.records == []


@pytest.mark.parametrize(
    "change",
    [
        pytest.param("mv deep was && mv other deep", id="folder replaced"),
        pytest.param("mv deep was && ln -s other deep", id="folder replaced by a link"),
        pytest.param("mv deep was", id="folder gone"),
        pytest.param("rm deep/three", id="file gone"),
    ],
)
def test_what_is_replaced_on_the_way_while_the_command_runs_keeps_no_answer(tree: Tree, change: str) -> None:
    (tree.root / "other").mkdir()
    os.link(tree.root / "deep/three", tree.root / "other/three")
    tree.tell(("entry", tree.root / "deep/three"), more=change)
    tree.ask()

    assert tree.records == []


def test_files_that_come_beside_the_way_matter_to_nobody(tree: Tree) -> None:
    tree.tell(("tree", tree.root / "deep"), more="touch new")

    assert twice(tree) == [False, True]


def test_files_of_a_file_system_of_the_kernel_keep_no_answer(tree: Tree) -> None:
    tree.tell(("entry", Path("/proc/version")))

    assert twice(tree) == [False, False]


WHOLE = account_of([("tree", Path("/bin"))])


@pytest.mark.parametrize(
    "account",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(WHOLE[:-1], id="answer without an end"),
        pytest.param(WHOLE[: WHOLE.index(b"answer\0")], id="no answer"),
        pytest.param(WHOLE + b"more\0", id="more after the answer"),
        pytest.param(WHOLE.replace(b"record 1", b"record 2"), id="another format"),
        pytest.param(WHOLE.replace(b"tree", b"wood"), id="unknown kind"),
        pytest.param(WHOLE.replace(b"/bin", b"bin"), id="relative path"),
        pytest.param(account_of([]), id="no grounds"),
    ],
)
def test_an_account_that_is_not_complete_keeps_no_answer(tree: Tree, account: bytes) -> None:
    tree.tell(account=account)

    assert twice(tree) == [False, False]
    assert tree.records == []


def test_a_record_is_for_its_user_alone(tree: Tree) -> None:
    tree.answered()
    (record,) = tree.records

    assert record.stat().st_mode & 0o777 == 0o600
    assert record.parent.stat().st_mode & 0o777 == 0o700


def test_a_record_that_others_may_write_is_not_believed(tree: Tree) -> None:
    tree.answered()
    tree.records[0].chmod(0o620)

    assert twice(tree) == [False, True]


def test_a_folder_that_others_may_write_is_not_believed(tree: Tree) -> None:
    tree.answered()
    tree.records[0].parent.chmod(0o770)

    assert twice(tree) == [False, False]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_a_record_of_another_user_is_not_believed(tree: Tree) -> None:
    tree.answered()
    os.chown(tree.records[0], ANOTHER_USER, ANOTHER_USER)
    assert twice(tree) == [False, True]
    os.chown(tree.records[0].parent, ANOTHER_USER, ANOTHER_USER)

    assert twice(tree) == [False, False]


def test_a_record_behind_a_link_is_not_believed(tree: Tree) -> None:
    tree.answered()
    (record,) = tree.records
    record.rename(tree.told / "record")
    record.symlink_to(tree.told / "record")
    assert not tree.ask().repeated

    (tree.cache / "verified").rename(tree.told / "verified")
    (tree.cache / "verified").symlink_to(tree.told / "verified")

    assert twice(tree) == [False, False]


def test_a_damaged_record_is_not_believed(tree: Tree) -> None:
    tree.answered()
    (record,) = tree.records
    record.write_bytes(record.read_bytes().replace(ANSWER.encode(), ANSWER.upper().encode()))

    assert twice(tree) == [False, True]


@pytest.mark.parametrize(
    "cache",
    [
        pytest.param({"MIRROR_CACHE": ""}, id="switched off"),
        pytest.param({"MIRROR_CACHE": "/proc/none"}, id="not to be made"),
        pytest.param({"MIRROR_CACHE": "/dev/null/none"}, id="below a file"),
    ],
)
def test_without_a_place_for_records_the_command_runs_without_one(tree: Tree, cache: dict[str, str]) -> None:
    tree.tell(("tree", tree.root), more='[ -z "$MIRRORKEEPER_RECORD" ] && exit 7')

    for _ in range(2):
        answer = tree.ask(variables=cache)
        assert (answer.status, answer.repeated) == (7, False)


def test_records_lie_with_the_other_caches_of_the_user(tree: Tree) -> None:
    tree.tell(("tree", tree.root))
    environment = {**tree.environment(), "HOME": str(tree.told / "home")}
    del environment["MIRROR_CACHE"]
    for more, folder in (({}, "home/.cache"), ({"XDG_CACHE_HOME": str(tree.told / "xdg")}, "xdg")):
        subprocess.run([tree.programs / PROGRAM], env={**environment, **more}, check=True, capture_output=True)
        assert len(list((tree.told / folder / "upstream-mirrors/verified").iterdir())) == 1


def test_what_is_old_is_removed_when_a_record_is_written(tree: Tree) -> None:
    tree.answered()
    kept = tree.records[0].parent
    now = tree.records[0].stat().st_mtime
    ages = {"0a" * 32: 31, "0b" * 32: 29, ".draft-1-1": 2, ".draft-1-2": 0.5, "notes": 99}
    for name, days in ages.items():
        (kept / name).touch()
        os.utime(kept / name, (now - days * DAY, now - days * DAY))
    tree.ask("--bytes")

    assert set(ages) & {path.name for path in tree.records} == {"0b" * 32, ".draft-1-2", "notes"}
    assert len(tree.records) == 2 + 3
