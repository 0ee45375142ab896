from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.failing_files import FailingFiles, PowerLostError
from tests.tools.mirrorkeeper.repositories import Fork, Upstream, contents
from tools.mirrorkeeper.cli import main
from tools.mirrorkeeper.errors import ToolError
from tools.mirrorkeeper.mirror.diagnosis.doctor import doctor
from tools.mirrorkeeper.mirror.sync.sync import Synchronization
from tools.mirrorkeeper.mirror.sync.sync_options import SyncOptions
from tools.mirrorkeeper.mirror.workspace.pending import recover_pending
from tools.mirrorkeeper.project import Project

pytestmark = pytest.mark.slow

OPERATIONS = 60
STEPS = pytest.mark.parametrize(
    "step", [pytest.param(3, id="reduced"), pytest.param(1, id="whole", marks=pytest.mark.soak)]
)
"""Distance of the operations at which something is tried."""


@pytest.fixture
def ready(fork: Fork, upstream: Upstream) -> Fork:
    """A project at v1.0.0 whose upstream has a v1.1.0 that adds, changes, removes and links."""
    (upstream.folder / "link").symlink_to("README.md")
    upstream.commit({"README.md": b"newer\n", "docs/a.md": b"a", "run.sh": None}, tag="v1.1.0")
    return fork


def copy_of(fork: Fork, folder: Path) -> Fork:
    shutil.copytree(fork.root, folder, symlinks=True)
    return Fork(Project.at(folder))


def attempt(fork: Fork, files: FailingFiles) -> bool:
    """Synchronize to v1.1.0 on that disk; whether it came to its end."""
    try:
        Synchronization(fork.project, files, fork.said.append).run(SyncOptions("v1.1.0"))
    except (PowerLostError, OSError):
        return False
    return True


def states(fork: Fork, tmp_path: Path) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """What the mirror and its lock are before and after a synchronization."""
    whole = copy_of(fork, tmp_path / "whole")
    whole.sync("v1.1.0")
    return contents(fork.root / "mirror"), contents(whole.root / "mirror")


@pytest.mark.parametrize(
    ("exchange_works", "step"),
    [
        pytest.param(True, 1, id="exchanged"),
        pytest.param(False, 3, id="renamed, reduced"),
        pytest.param(False, 1, id="renamed, whole", marks=pytest.mark.soak),
    ],
)
def test_power_lost_at_any_operation_leaves_the_old_or_the_new_mirror(
    ready: Fork, tmp_path: Path, *, exchange_works: bool, step: int
) -> None:
    old, new = states(ready, tmp_path)
    seen: set[str] = set()
    said: set[str] = set()
    for at in range(1, OPERATIONS, step):
        fork = copy_of(ready, tmp_path / f"at-{at}")
        finished = attempt(fork, FailingFiles(at, exchange_works=exchange_works))
        recover_pending(fork.project, fork.said.append)
        state = contents(fork.root / "mirror")

        assert state in (old, new), f"a mixture after operation {at}"
        assert fork.codes() == [], f"not clean after operation {at}"
        seen.add("new" if state == new else "old")
        said.update(line for line in fork.said if "interrupted" in line)
        if finished:
            break
        shutil.rmtree(fork.root)
    else:
        pytest.fail("a synchronization has more operations than were tried")
    assert seen == {"old", "new"}
    assert said == {
        "an interrupted synchronization to v1.1.0 was finished",
        "an interrupted synchronization to v1.1.0 was undone: the mirror is as it was before",
    }


@STEPS
@pytest.mark.timeout(300)
def test_power_lost_during_the_recovery_is_recovered_too(ready: Fork, tmp_path: Path, step: int) -> None:
    old, new = states(ready, tmp_path)
    broken = []
    for at in range(1, OPERATIONS, step):
        fork = copy_of(ready, tmp_path / f"first-{at}")
        if attempt(fork, FailingFiles(at, exchange_works=False)):
            break
        if (fork.transaction / "journal.json").exists():
            broken.append(fork)
    else:
        pytest.fail("a synchronization has more operations than were tried")
    assert broken
    for number, fork in enumerate(broken):
        for at in range(1, OPERATIONS):
            again = copy_of(fork, tmp_path / f"second-{number}-{at}")
            _same_inode(fork, again)
            files = FailingFiles(at)
            try:
                recover_pending(again.project, again.said.append, files)
                finished = True
            except PowerLostError:
                finished = False
            recover_pending(again.project, again.said.append)
            assert contents(again.root / "mirror") in (old, new)
            assert again.codes() == []
            shutil.rmtree(again.root)
            if finished:
                break
        else:
            pytest.fail("a recovery has more operations than were tried")


def _same_inode(fork: Fork, copied: Fork) -> None:
    """A copy has folders of its own; its journal has to name them, as the original's names the original's."""
    journal = (fork.transaction / "journal.json").read_text(encoding="utf-8")
    for name in ("mirror/gateway", "mirror/.gateway.sync/new"):
        before, after = fork.root / name, copied.root / name
        if before.exists():
            journal = journal.replace(f'"inode": {before.stat().st_ino},', f'"inode": {after.stat().st_ino},')
    (copied.transaction / "journal.json").write_text(journal, encoding="utf-8")


@STEPS
def test_a_full_disk_at_any_operation_is_an_error_and_leaves_the_old_or_the_new_mirror(
    ready: Fork, tmp_path: Path, step: int
) -> None:
    old, new = states(ready, tmp_path)
    for at in range(1, OPERATIONS, step):
        fork = copy_of(ready, tmp_path / f"at-{at}")
        finished = attempt(fork, FailingFiles(at, error=OSError(errno.ENOSPC, "No space left on device")))
        recover_pending(fork.project, fork.said.append)

        assert contents(fork.root / "mirror") in (old, new)
        assert fork.codes() == []
        if finished:
            break
    else:
        pytest.fail("a synchronization has more operations than were tried")


def test_a_second_command_is_refused_while_one_is_at_work(ready: Fork) -> None:
    script = (
        "import sys, pathlib\n"
        "from tools.mirrorkeeper.system.files import DiskFiles\nfrom tools.mirrorkeeper.project import Project\n"
        "from tools.mirrorkeeper.declaration.declaration import read_declaration\n"
        "from tools.mirrorkeeper.mirror.workspace.transaction import Transaction\n"
        "project = Project.at(pathlib.Path(sys.argv[1]))\n"
        "with Transaction(project, read_declaration(project), DiskFiles()):\n"
        "    print('held', flush=True)\n    sys.stdin.read()\n"
    )
    command = [sys.executable, "-c", script, str(ready.root)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdin is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(
            ToolError, match=rf"\(process {holder.pid} on \S+, since \d{{4}}-\d\d-\d\d \d\d:\d\d:\d\d UTC\)"
        ):
            ready.sync("v1.1.0")
        with pytest.raises(ToolError, match="another command is at work"):
            recover_pending(ready.project, ready.said.append)
        holder.stdin.close()
        assert holder.wait() == 0

    ready.sync("v1.1.0")
    assert not ready.transaction.exists()


def test_an_index_that_cannot_be_written_leaves_the_rest_to_the_next_command(ready: Fork) -> None:
    held = ready.root / ".git/index.lock"
    held.write_bytes(b"")
    with pytest.raises(ToolError, match="the index of git is locked") as caught:
        ready.sync("v1.1.0")
    assert f"delete {held}, and any mirror command finishes the rest" in caught.value.advice
    with pytest.raises(ToolError) as again:
        recover_pending(ready.project, ready.said.append)
    assert again.value.advice == caught.value.advice
    assert ".git/index.lock" in [one.shown_path for one in doctor(ready.project).findings]
    held.unlink()

    recover_pending(ready.project, ready.said.append)
    assert ready.codes() == []
    assert (ready.mirror / "docs/a.md").is_file()
    assert not ready.transaction.exists()


@pytest.mark.parametrize("number", [errno.EROFS, errno.ENOSPC])
def test_an_interruption_is_told_where_the_disk_keeps_it_from_being_settled(
    ready: Fork, number: int, capsys: pytest.CaptureFixture[str]
) -> None:
    for at in range(1, OPERATIONS):
        if ready.project.lock_path.with_name(".gateway.sync").joinpath("journal.json").exists():
            break
        attempt(ready, FailingFiles(at))
    else:
        pytest.fail("no operation writes a journal")

    assert main(["-C", str(ready.root), "patch", "list"]) == 0
    assert "a synchronization to v1.1.0 was interrupted while it wrote the mirror: " in capsys.readouterr().err
    with pytest.raises(
        ToolError, match=r"^a synchronization to v1.1.0 was interrupted, and mirror/.gateway.sync "
    ) as told:
        recover_pending(ready.project, ready.said.append, FailingFiles(2, error=OSError(number, os.strerror(number))))
    assert told.value.text.endswith(f"cannot be settled: {os.strerror(number)}")
    assert told.value.advice
