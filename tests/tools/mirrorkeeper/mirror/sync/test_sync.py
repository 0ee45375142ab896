from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.repositories import FILES, WHO, Fork, Upstream, contents, make_fork
from tools.mirrorkeeper.errors import ToolError
from tools.mirrorkeeper.lockfile.pin import read_pin
from tools.mirrorkeeper.mirror.sync.sync import Synchronization
from tools.mirrorkeeper.mirror.sync.sync_options import SyncOptions
from tools.mirrorkeeper.mirror.verify.verify import VerifyOptions, verify
from tools.mirrorkeeper.system.files import DiskFiles


def test_the_mirror_is_the_releases_tree_and_git_knows_it_by_the_same_id(fork: Fork, upstream: Upstream) -> None:
    tree = upstream.git.run("rev-parse", "v1.0.0^{tree}").text

    assert fork.project.git.run("rev-parse", "HEAD:mirror/gateway").text == tree
    assert {name: content.partition(b" ")[2] for name, content in contents(fork.mirror).items()} == FILES
    assert (fork.mirror / "run.sh").stat().st_mode & 0o100


def test_a_synchronized_mirror_verifies_clean_and_is_proven(fork: Fork) -> None:
    assert fork.codes(prove=True) == []


def test_nothing_but_mirror_and_lock_is_staged_and_nothing_is_left_beside_them(fork: Fork, upstream: Upstream) -> None:
    (fork.root / "mine.txt").write_text("mine", encoding="utf-8")
    upstream.commit({"new.txt": b"new\n", "README.md": None}, tag="v1.1.0")
    fork.sync("v1.1.0")

    staged = fork.project.git.run("diff", "--cached", "--name-only").text.splitlines()
    assert staged == ["mirror/gateway/README.md", "mirror/gateway/new.txt", "mirror/upstream.lock"]
    assert fork.project.git.run("status", "--porcelain").text.splitlines()[-1] == "?? mine.txt"
    assert sorted(path.name for path in (fork.root / "mirror").iterdir()) == [
        "gateway",
        "upstream.lock",
        "upstream.toml",
    ]


def test_without_a_name_the_newest_release_is_taken_first_and_the_pinned_one_afterwards(
    tmp_path: Path, upstream: Upstream
) -> None:
    upstream.commit({"a": b"9"}, tag="v1.9.0")
    upstream.commit({"a": b"10"}, tag="v1.10.0")
    fork = make_fork(tmp_path / "fork", str(upstream.folder))
    fork.sync()
    upstream.commit({"a": b"11"}, tag="v1.11.0")
    fork.sync()

    pin = read_pin(fork.project)
    assert pin is not None
    assert pin.name == "v1.10.0"


def test_a_commit_may_be_named_by_its_id(fork: Fork, upstream: Upstream) -> None:
    commit = upstream.commit({"a": b"untagged"})
    fork.sync(commit)

    pin = read_pin(fork.project)
    assert pin is not None
    assert (pin.tag, pin.commit) == (None, commit)
    assert fork.codes(prove=True) == []


def test_files_the_upstream_ignores_itself_are_mirrored_and_staged(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({".gitignore": b"*.log\n", "kept.log": b"kept\n"}, tag="v1.1.0")
    fork.sync("v1.1.0")

    assert (fork.mirror / "kept.log").read_bytes() == b"kept\n"
    assert "mirror/gateway/kept.log" in fork.project.git.run("ls-files").text.splitlines()
    assert fork.codes() == []


def test_attributes_of_the_upstream_change_no_byte(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({".gitattributes": b"*.txt text eol=crlf ident\n", "a.txt": b"one $Id$\ntwo\n"}, tag="v1.1.0")
    fork.sync("v1.1.0")

    assert (fork.mirror / "a.txt").read_bytes() == b"one $Id$\ntwo\n"
    assert fork.codes() == []


def test_a_folder_that_became_a_file_and_back_is_followed(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"src/app.py": None}, message="gone")
    (upstream.folder / "src").rmdir()
    upstream.commit({"src": b"a file now\n"}, tag="v1.1.0")
    fork.sync("v1.1.0")
    assert (fork.codes(), (fork.mirror / "src").read_bytes()) == ([], b"a file now\n")

    fork.sync("v1.0.0")
    assert (fork.codes(), (fork.mirror / "src/app.py").is_file()) == ([], True)


def test_excluded_paths_are_left_out_and_accounted_for(tmp_path: Path, upstream: Upstream) -> None:
    upstream.commit({"docs/a.md": b"a", "docs/deep/b.md": b"b", "keep.md": b"k"}, tag="v1.1.0")
    fork = make_fork(tmp_path / "fork", str(upstream.folder), exclude='["docs", "*.sh"]')
    fork.sync()

    pin = read_pin(fork.project)
    assert pin is not None
    assert sorted(contents(fork.mirror)) == ["README.md", "keep.md", "src/app.py"]
    assert [(row.path, f"{row.mode:o}") for row in pin.excluded] == [(b"docs", "40000"), (b"run.sh", "100755")]
    assert fork.codes(prove=True) == []


def test_a_dirty_mirror_is_not_overwritten_unless_asked(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"a": b"new"}, tag="v1.1.0")
    (fork.mirror / "README.md").write_bytes(b"mine\n")

    with pytest.raises(ToolError, match=r"changes of its own: mirror/gateway/README\.md"):
        fork.sync("v1.1.0")
    assert (fork.mirror / "README.md").read_bytes() == b"mine\n"

    fork.sync("v1.1.0", discard=True)
    assert fork.codes() == []


def test_a_foreign_folder_in_the_mirrors_place_is_not_overwritten(tmp_path: Path, upstream: Upstream) -> None:
    fork = make_fork(tmp_path / "fork", str(upstream.folder))
    fork.mirror.mkdir()
    (fork.mirror / "precious").write_bytes(b"mine")

    with pytest.raises(ToolError, match="mirror/gateway holds files"):
        fork.sync()
    assert (fork.mirror / "precious").read_bytes() == b"mine"


def test_a_dry_run_changes_nothing(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"a": b"new"}, tag="v1.1.0")
    before = contents(fork.root / "mirror")
    fork.sync("v1.1.0", dry_run=True)

    assert contents(fork.root / "mirror") == before
    assert fork.said[-1].startswith("would bring the mirror to v1.1.0 (was v1.0.0)")


def test_a_tag_that_moved_is_refused_until_accepted(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"a": b"rewritten"}, message="rewritten")
    upstream.git.run("tag", "--force", "v1.0.0")

    with pytest.raises(ToolError, match=r"v1\.0\.0 moved upstream"):
        fork.sync("v1.0.0")
    fork.sync("v1.0.0", accept_moved_tag=True)
    assert fork.codes(prove=True) == []


def test_an_unknown_release_is_told_with_the_newest_there_are(fork: Fork) -> None:
    with pytest.raises(ToolError, match=r"no tag 'v9\.9\.9'") as caught:
        fork.sync("v9.9.9")
    assert "v1.0.0" in caught.value.advice


def test_a_project_without_git_is_mirrored_too(tmp_path: Path, upstream: Upstream) -> None:
    fork = make_fork(tmp_path / "fork", str(upstream.folder), with_git=False)
    fork.sync()
    assert fork.codes(prove=True) == []

    (fork.mirror / "README.md").write_bytes(b"mine\n")
    assert fork.found() == [("MIR001", "mirror/gateway/README.md")]


def test_a_project_in_a_folder_of_a_larger_repository_is_mirrored_too(tmp_path: Path, upstream: Upstream) -> None:
    outer = Upstream(tmp_path / "outer")
    fork = make_fork(tmp_path / "outer/sub/fork", str(upstream.folder), with_git=False)
    fork.sync()

    assert "sub/fork/mirror/gateway/README.md" in outer.git.run("ls-files").text.splitlines()
    outer.commit({})
    assert fork.codes(prove=True) == []


def test_the_lock_of_the_same_pin_is_the_same_bytes(fork: Fork) -> None:
    before = fork.project.lock_path.read_bytes()
    fork.sync()

    assert fork.project.lock_path.read_bytes() == before


def inodes(fork: Fork) -> dict[str, int]:
    return {path.name: path.stat().st_ino for path in fork.mirror.rglob("*") if path.is_file()}


def test_files_that_did_not_change_are_not_written_again(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"README.md": b"newer\n", "new.txt": b"new\n"}, tag="v1.1.0")
    (upstream.folder / "run.sh").chmod(0o644)
    upstream.git.run("commit", "--quiet", "--all", "--message=mode", environment=WHO)
    upstream.git.run("tag", "v1.2.0")
    before = inodes(fork)
    fork.sync("v1.2.0")

    after = inodes(fork)
    assert {name for name, inode in before.items() if after.get(name) == inode} == {"app.py"}
    assert fork.codes(prove=True) == []
    assert (fork.mirror / "src/app.py").stat().st_nlink == 1
    fork.commit()
    assert verify(fork.project, VerifyOptions()).checks[0].summary.endswith("unchanged by git's records")


def test_a_file_changed_by_hand_never_becomes_part_of_the_new_tree(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"new.txt": b"new\n"}, tag="v1.1.0")
    (fork.mirror / "README.md").write_bytes(b"mine\n")
    (fork.mirror / "src/app.py").chmod(0o755)
    fork.sync("v1.1.0", discard=True)

    assert fork.codes(prove=True) == []
    assert (fork.mirror / "README.md").read_bytes() == b"upstream\n"


class WithoutSecondNames(DiskFiles):
    """A disk on which a file has one name only."""

    def share(self, source: bytes, target: bytes) -> bool:
        """Say that it cannot be done."""
        return source == target


def test_where_a_file_cannot_have_two_names_every_file_is_written(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"new.txt": b"new\n"}, tag="v1.1.0")
    before = inodes(fork)
    Synchronization(fork.project, WithoutSecondNames(), fork.said.append).run(SyncOptions("v1.1.0"))

    assert not set(before.values()) & set(inodes(fork).values())
    assert fork.codes(prove=True) == []


def test_an_unfinished_merge_in_the_index_is_replaced_by_what_is_mirrored(fork: Fork, upstream: Upstream) -> None:
    git = fork.project.git
    oid = git.run("rev-parse", ":mirror/gateway/README.md").text
    rows = "".join(f"100644 {oid} {stage}\tmirror/gateway/README.md\n" for stage in (1, 2, 3))
    git.run("update-index", "--index-info", stdin=f"0 {'0' * 40}\tmirror/gateway/README.md\n{rows}".encode())
    upstream.commit({"new.txt": b"new\n"}, tag="v1.1.0")
    fork.sync("v1.1.0")

    assert git.run("ls-files", "--unmerged").stdout == b""
    assert fork.codes(prove=True) == []
