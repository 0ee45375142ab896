"""Files in the mirrored folder that git ignores: nobody's but this project's, and no part of the mirror."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.failing_files import FailingFiles
from tests.tools.mirrorkeeper.mirror.sync.test_crash import OPERATIONS, attempt, copy_of
from tests.tools.mirrorkeeper.repositories import Fork, Upstream, contents, make_fork
from tools.mirrorkeeper.cli import main
from tools.mirrorkeeper.errors import ToolError
from tools.mirrorkeeper.mirror.verify.verify import VerifyOptions, verify
from tools.mirrorkeeper.mirror.workspace.pending import recover_pending

pytestmark = pytest.mark.slow


@pytest.fixture
def mine(fork: Fork) -> Fork:
    """A fork with two ignored files in the mirror, one in a folder that is ignored."""
    (fork.root / ".git/info").mkdir(exist_ok=True)
    (fork.root / ".git/info/exclude").write_text("*.log\nlocal/\n", encoding="utf-8")
    (fork.mirror / "z.log").write_bytes(b"mine\n")
    (fork.mirror / "local").mkdir()
    (fork.mirror / "local/notes").write_bytes(b"notes\n")
    (fork.mirror / "local/notes").chmod(0o600)
    (fork.mirror / "local/link").symlink_to("notes")
    return fork


@pytest.mark.parametrize("discard", [False, True])
@pytest.mark.parametrize("shared", [True, False])
def test_a_synchronization_keeps_what_git_ignores(
    mine: Fork, upstream: Upstream, monkeypatch: pytest.MonkeyPatch, *, discard: bool, shared: bool
) -> None:
    upstream.commit({"README.md": b"newer\n"}, tag="v1.1.0")
    if not shared:
        monkeypatch.setattr("tools.mirrorkeeper.system.files.DiskFiles.share", lambda *_: False)
    mine.sync("v1.1.0", discard=discard)

    assert (mine.mirror / "README.md").read_bytes() == b"newer\n"
    assert (mine.mirror / "z.log").read_bytes() == b"mine\n"
    assert (mine.mirror / "local/notes").stat().st_mode & 0o777 == 0o600
    assert os.readlink(mine.mirror / "local/link") == "notes"  # noqa: PTH115 - the text of the link
    assert set(mine.codes(prove=True)) == {"MIR010"}
    assert mine.said[-1] == "  keeps 3 files of mirror/gateway that git ignores"


@pytest.mark.parametrize("path", ["z.log", "z.log/inside", "local"])
@pytest.mark.parametrize("dry_run", [True, False])
def test_an_ignored_file_where_the_release_has_one_stops_the_synchronization(
    mine: Fork, upstream: Upstream, path: str, *, dry_run: bool
) -> None:
    upstream.commit({path: b"theirs\n"}, tag="v1.1.0")
    before = contents(mine.root)

    with pytest.raises(ToolError, match=path.partition("/")[0]):
        mine.sync("v1.1.0", dry_run=dry_run)
    assert contents(mine.root) == before
    mine.sync("v1.1.0", discard=True)
    assert (mine.mirror / path).read_bytes() == b"theirs\n"
    assert (mine.mirror / "z.log").is_file() == (path != "z.log/inside")


def test_power_lost_at_any_operation_loses_nothing_that_git_ignores(
    mine: Fork, upstream: Upstream, tmp_path: Path
) -> None:
    upstream.commit({"README.md": b"newer\n"}, tag="v1.1.0")
    for at in range(1, OPERATIONS):
        fork = copy_of(mine, tmp_path / f"at-{at}")
        finished = attempt(fork, FailingFiles(at))
        recover_pending(fork.project, fork.said.append)

        assert (fork.mirror / "z.log").read_bytes() == b"mine\n", f"lost by operation {at}"
        assert set(fork.codes()) == {"MIR010"}
        shutil.rmtree(fork.root)
        if finished:
            return
    pytest.fail("a synchronization has more operations than were tried")


def test_the_first_synchronization_keeps_what_git_ignores_too(tmp_path: Path, upstream: Upstream) -> None:
    fork = make_fork(tmp_path / "fork", str(upstream.folder))
    (fork.root / ".gitignore").write_bytes(b"*.log\n")
    fork.mirror.mkdir()
    (fork.mirror / "z.log").write_bytes(b"mine\n")
    fork.sync()

    assert (fork.mirror / "z.log").read_bytes() == b"mine\n"
    assert fork.codes() == ["MIR010"]


@pytest.mark.parametrize(
    ("asked", "codes", "status"), [("report", ["MIR010"] * 3, 0), ("fail", ["MIR010"] * 3, 1), ("ignore", [], 0)]
)
def test_what_git_ignores_is_reported_fails_or_is_left_out(
    mine: Fork, asked: str, codes: list[str], status: int
) -> None:
    report = verify(mine.project, VerifyOptions(prove=True, ignored=asked))

    assert [one.code for one in report.findings] == codes
    assert report.status == status
    assert "consistent with" in report.checks[0].summary
    assert verify(mine.project, VerifyOptions(strict=True, ignored=asked)).status == int(asked != "ignore")


def test_the_command_line_says_what_becomes_of_ignored_files(mine: Fork, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-C", str(mine.root), "mirror", "verify", "--ignored", "fail"]) == 1
    assert "MIR010" in capsys.readouterr().out
    assert main(["-C", str(mine.root), "mirror", "verify", "--ignored", "ignore"]) == 0
    assert "MIR010" not in capsys.readouterr().out
