from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.repositories import Fork, Upstream, make_fork
from tools.mirrorkeeper.errors import ToolError
from tools.mirrorkeeper.mirror.verify.verify import VerifyOptions, verify

README = "mirror/gateway/README.md"


def test_one_changed_byte_is_one_finding(fork: Fork) -> None:
    (fork.mirror / "README.md").write_bytes(b"upstreaM\n")

    assert fork.found() == [("MIR001", README)]
    report = verify(fork.project, VerifyOptions())
    assert (report.status, "mirror sync" in report.findings[0].fix) == (1, True)


def test_a_change_of_the_same_length_and_time_is_seen(fork: Fork) -> None:
    status = (fork.mirror / "README.md").stat()
    (fork.mirror / "README.md").write_bytes(b"upstreaM\n")
    os.utime(fork.mirror / "README.md", ns=(status.st_atime_ns, status.st_mtime_ns))

    assert fork.found() == [("MIR001", README)]


def test_each_kind_of_change_has_its_own_code(fork: Fork) -> None:
    (fork.mirror / "run.sh").chmod(0o644)
    (fork.mirror / "src/app.py").unlink()
    (fork.mirror / "README.md").unlink()
    (fork.mirror / "README.md").symlink_to("run.sh")
    (fork.mirror / "extra").write_bytes(b"")

    assert fork.found() == [
        ("MIR005", README),
        ("MIR006", "mirror/gateway/extra"),
        ("MIR004", "mirror/gateway/run.sh"),
        ("MIR003", "mirror/gateway/src/app.py"),
    ]


def test_a_pipe_in_the_place_of_a_file_is_a_change_of_type(fork: Fork) -> None:
    (fork.mirror / "README.md").unlink()
    os.mkfifo(fork.mirror / "README.md")

    assert fork.found() == [("MIR005", README)]


def test_an_ignored_file_is_a_note_of_its_own_and_fails_only_when_strict(fork: Fork) -> None:
    (fork.root / ".gitignore").write_bytes(b"__pycache__/\n")
    fork.commit()
    (fork.mirror / "src/__pycache__").mkdir()
    (fork.mirror / "src/__pycache__/app.pyc").write_bytes(b"x")

    report = verify(fork.project, VerifyOptions(prove=True))
    assert [(one.code, one.shown_path) for one in report.findings] == [
        ("MIR010", "mirror/gateway/src/__pycache__/app.pyc")
    ]
    assert report.status == 0
    assert "consistent with" in report.checks[0].summary
    assert verify(fork.project, VerifyOptions(strict=True)).status == 1


def test_a_staged_change_is_one_finding_that_names_both_layers(fork: Fork) -> None:
    (fork.mirror / "README.md").write_bytes(b"mine\n")
    fork.project.git.run("add", README)

    (finding,) = verify(fork.project, VerifyOptions()).findings
    assert finding.code == "MIR001"
    assert finding.message.endswith("[index, working files]")


def test_a_change_that_is_only_staged_is_found(fork: Fork) -> None:
    (fork.mirror / "README.md").write_bytes(b"mine\n")
    fork.project.git.run("add", README)
    (fork.mirror / "README.md").write_bytes(b"upstream\n")

    assert fork.found() == [("MIR001", README)]


def test_a_file_added_to_the_index_is_added_not_untracked(fork: Fork) -> None:
    (fork.mirror / "extra").write_bytes(b"x")
    fork.project.git.run("add", "mirror/gateway/extra")

    assert fork.found() == [("MIR002", "mirror/gateway/extra")]


def test_a_committed_change_is_found_and_its_staged_repair_is_a_note(fork: Fork) -> None:
    (fork.mirror / "README.md").write_bytes(b"mine\n")
    fork.commit()
    (finding,) = verify(fork.project, VerifyOptions()).findings
    assert finding.message.endswith("[last commit, index, working files]")

    fork.sync(discard=True)
    report = verify(fork.project, VerifyOptions())
    assert [(one.code, one.message) for one in report.findings] == [
        ("MIR011", "last commit: holds a changed mirror; its repair is staged")
    ]
    assert report.status == 0


def test_a_synchronization_that_is_not_committed_yet_is_a_note(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"a": b"new"}, tag="v1.1.0")
    fork.sync("v1.1.0")

    report = verify(fork.project, VerifyOptions())
    assert [(one.code, one.message) for one in report.findings] == [
        ("MIR011", "last commit: still holds v1.0.0, the lock file v1.1.0")
    ]
    fork.commit()
    assert verify(fork.project, VerifyOptions(strict=True)).status == 0


def test_a_commit_of_the_lock_without_the_mirror_is_found(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"README.md": b"newer\n"}, tag="v1.1.0")
    fork.sync("v1.1.0")
    fork.project.git.run("reset", "--quiet", "HEAD", "--", "mirror/gateway")
    fork.project.git.run("commit", "--quiet", "--message=half")
    fork.project.git.run("add", "mirror/gateway")

    report = verify(fork.project, VerifyOptions())
    assert [one.code for one in report.findings] == ["MIR011"]
    fork.project.git.run("reset", "--quiet", "HEAD", "--", "mirror/gateway")
    assert fork.found() == [("MIR001", README)]


def test_line_endings_converted_by_the_trees_own_attributes_are_a_note(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({".gitattributes": b"*.bat text eol=crlf\n", "a.bat": b"one\ntwo\n"}, tag="v1.1.0")
    fork.sync("v1.1.0")
    fork.commit()
    (fork.mirror / "a.bat").unlink()
    fork.project.git.run("checkout", "--", "mirror/gateway/a.bat")
    assert (fork.mirror / "a.bat").read_bytes() == b"one\r\ntwo\r\n"

    report = verify(fork.project, VerifyOptions(hashed=True))
    assert [(one.code, one.shown_path) for one in report.findings] == [("MIR007", "mirror/gateway/a.bat")]
    assert report.status == 0


def test_a_lock_whose_objects_do_not_fit_its_ids_is_found(fork: Fork) -> None:
    text = fork.project.lock_path.read_text(encoding="utf-8")
    fork.project.lock_path.write_text(text.replace("author Ann", "author Bob"), encoding="utf-8")

    assert "PIN001" in fork.codes()


def test_a_declaration_changed_since_the_synchronization_is_found(fork: Fork) -> None:
    path = fork.project.declaration_path
    text = path.read_text(encoding="utf-8").replace("/upstream", "/elsewhere")
    path.write_text(text.replace("exclude = []", 'exclude = ["docs"]'), encoding="utf-8")

    assert fork.codes() == ["PIN002", "MIR008"]


def test_without_a_lock_there_is_nothing_to_verify(tmp_path: Path, upstream: Upstream) -> None:
    fork = make_fork(tmp_path / "fork", str(upstream.folder))

    with pytest.raises(ToolError, match="nothing was mirrored yet"):
        fork.codes()


def test_the_proof_needs_no_upstream(fork: Fork, upstream: Upstream) -> None:
    shutil.rmtree(upstream.folder)

    assert fork.codes(prove=True) == []


def test_a_difference_nobody_can_name_is_still_a_finding(tmp_path: Path, upstream: Upstream) -> None:
    fork = make_fork(tmp_path / "fork", str(upstream.folder), with_git=False)
    fork.sync()
    shutil.rmtree(upstream.folder)
    (fork.mirror / "README.md").write_bytes(b"mine\n")

    assert fork.codes() == ["MIR012"]
