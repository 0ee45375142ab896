"""`mirror sync`: what it writes, what it refuses, and what it leaves as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirror.project import Fork, Upstream, git, numbered
from tools.mirror.errors import PausedError, ToolError
from tools.mirror.lock import read_lock
from tools.mirror.series import ConflictedFile, Stop
from tools.mirror.sync import Options, abort, sync
from tools.mirror.verify import verify

LINE_A = 20
_OBJECTS = ("cat-file", "--batch-all-objects", "--batch-check=%(objectname)")
FIRST, SECOND, THIRD, FOURTH = "1-first.patch", "2-second.patch", "3-third.patch", "4-fourth.patch"


def errors(fork: Fork) -> list[str]:
    return [finding.code for finding in verify(fork.declaration) if finding.level == "error"]


def test_a_first_synchronization_mirrors_the_release_with_its_patches(pinned: Fork) -> None:
    assert (pinned.root / "mirror/gateway/a.txt").read_bytes() == numbered(60, line20="ours a", line21="ours a2")
    lock = read_lock(pinned.declaration)
    assert lock is not None
    assert (lock.tag.name, lock.final_tree) == ("v1.0.0", pinned.tree())
    assert [patch.name for patch in lock.patches] == [FIRST, SECOND, THIRD, FOURTH]
    assert errors(pinned) == []
    assert pinned.is_clean()


def test_everything_is_in_the_index_after_a_synchronization(fork: Fork) -> None:
    fork.sync("v1.1.0", refresh=True)

    assert git(fork.root, "diff", "--name-only") == ""
    changed = set(git(fork.root, "diff", "--cached", "--name-only").splitlines())
    assert {"mirror/upstream.lock", "mirror/gateway/new.txt", "mirror/gateway/gone.txt"} <= changed
    assert errors(fork) == []


def test_a_patch_that_does_not_apply_as_it_is_fails_the_synchronization_and_leaves_all_as_it_was(fork: Fork) -> None:
    with pytest.raises(PausedError) as error:
        fork.sync("v1.1.0")

    assert f"{FIRST} applies elsewhere" in error.value.details
    assert "--refresh" in error.value.hint
    assert fork.is_clean()
    assert not (fork.root / "mirror/.work/run.json").exists()


def test_refresh_rewrites_what_applies_elsewhere_unattended(fork: Fork, mails: dict[str, bytes]) -> None:
    fork.sync("v1.1.0", refresh=True)

    text = (fork.root / "mirror/gateway/a.txt").read_bytes()
    assert text == numbered(60, line18="moved", line20="ours a", line21="ours a2")
    assert (fork.root / "patches" / FIRST).read_bytes() != mails[FIRST]
    assert b"Why: it is needed" in (fork.root / "patches" / FIRST).read_bytes()
    fork.commit()
    fork.sync("v1.0.0", refresh=True)
    assert (fork.root / "mirror/gateway/a.txt").read_bytes() == numbered(60, line20="ours a", line21="ours a2")
    assert (fork.root / "mirror/gateway/gone.txt").exists()
    assert not (fork.root / "mirror/gateway/new.txt").exists()
    assert errors(fork) == []


def test_two_conflicts_are_told_at_once_and_the_patch_behind_one_waits(fork: Fork) -> None:
    with pytest.raises(PausedError) as error:
        fork.sync("v1.2.0", refresh=True)

    assert error.value.message == f"v1.2.0 needs a person for 2 of 4 patches: {FIRST}, {SECOND}"
    details = "\n".join(error.value.details)
    assert f"{THIRD} waits for {FIRST}" in details
    assert "theirs a" in details
    assert "theirs b" in details
    assert "Change line 20" in details
    assert FOURTH not in details
    assert fork.is_clean()


def test_three_conflicts_are_told_at_once(fork: Fork) -> None:
    with pytest.raises(PausedError) as error:
        fork.sync("v1.4.0", refresh=True)

    assert error.value.message == f"v1.4.0 needs a person for 3 of 4 patches: {FIRST}, {SECOND}, {FOURTH}"
    assert f"{THIRD} waits for {FIRST}" in error.value.details


def test_a_person_settles_one_conflict_after_the_other(fork: Fork) -> None:
    tree = fork.root / "mirror/.work/tree"
    with pytest.raises(PausedError):
        fork.sync("v1.2.0", refresh=True)
    with pytest.raises(ToolError, match=r"conflict markers are left in a\.txt"):
        fork.go_on()
    (tree / "a.txt").write_bytes(numbered(60, line20="both a"))
    with pytest.raises(PausedError, match=f"v1.2.0 needs a person for 1 of 4 patches: {SECOND}|{THIRD}"):
        fork.go_on()
    while (fork.root / "mirror/.work/run.json").exists():
        for name, line in (("a.txt", "both a"), ("b.txt", "both b")):
            if b"<<<<<<<" in (tree / name).read_bytes():
                more = {"line21": "ours a2"} if name == "a.txt" else {}
                (tree / name).write_bytes(numbered(60, line20=line, **more))
        try:
            fork.go_on()
        except PausedError:
            continue

    assert (fork.root / "mirror/gateway/b.txt").read_bytes() == numbered(60, line20="both b")
    assert (fork.root / "mirror/gateway/a.txt").read_bytes() == numbered(60, line20="both a", line21="ours a2")
    assert errors(fork) == []


def test_markers_that_were_added_to_the_index_are_refused_too(fork: Fork) -> None:
    with pytest.raises(PausedError):
        fork.sync("v1.2.0", refresh=True)
    git(fork.root / "mirror/.work/tree", "add", "--all")

    with pytest.raises(ToolError, match="conflict markers are left"):
        fork.go_on()


def test_a_refusal_keeps_the_conflicts_for_the_tools_that_settle_them(fork: Fork) -> None:
    with pytest.raises(PausedError):
        fork.sync("v1.2.0", refresh=True)
    tree = fork.root / "mirror/.work/tree"
    unmerged = git(tree, "ls-files", "--unmerged")
    with pytest.raises(ToolError, match="conflict markers are left"):
        fork.go_on()

    assert unmerged
    assert git(tree, "ls-files", "--unmerged") == unmerged
    git(tree, "checkout", "--theirs", "a.txt")
    with pytest.raises(PausedError, match=SECOND):
        fork.go_on()


def test_a_synchronization_stores_only_the_objects_that_are_missing(tmp_path: Path) -> None:
    upstream = Upstream(tmp_path / "work")
    files: dict[str, bytes | None] = {f"{number}.txt": b"%d\n" % number for number in range(150)}
    upstream.commit(files, tag="v1.0.0")
    upstream.commit({"0.txt": b"other\n"}, tag="v1.1.0")
    fork = Fork.make(tmp_path / "fork", "../work")
    fork.sync("v1.0.0")
    fork.commit()
    before = set(git(fork.root, *_OBJECTS).splitlines())

    fork.sync("v1.1.0")

    added = set(git(fork.root, *_OBJECTS).splitlines()) - before
    lock, tree = (git(fork.root, "rev-parse", f":{path}") for path in ("mirror/upstream.lock", "mirror/gateway/0.txt"))
    assert len(list(fork.root.glob(".git/objects/pack/*.pack"))) == 1
    assert len(added) == len({lock, tree, fork.tree()})


def test_a_long_line_of_a_conflict_is_cut(tmp_path: Path) -> None:
    upstream = Upstream(tmp_path / "work")
    upstream.commit({"a.json": b"1" * 3000 + b"\n"}, tag="v1.0.0")
    mail = upstream.mail({"a.json": b"2" * 3000 + b"\n"}, "ours\n\nWhy: x\nDrop-When: never")
    upstream.commit({"a.json": b"3" * 3000 + b"\n"}, tag="v1.1.0")
    fork = Fork.make(tmp_path / "fork", "../work", patches={FIRST: mail})
    fork.sync("v1.0.0")
    fork.commit()

    with pytest.raises(PausedError) as error:
        fork.sync("v1.1.0", refresh=True)

    assert f"    {'3' * 200}…" in error.value.details
    assert max(map(len, error.value.details)) < 210


@pytest.mark.parametrize(("surplus", "text"), [(1, "… 1 more {}"), (2, "… 2 more {}s")])
def test_what_is_not_shown_of_a_conflict_is_counted(surplus: int, text: str) -> None:
    hunks = ["x\n" * (30 + surplus)] * (4 + surplus)
    lines = Stop(FIRST, (ConflictedFile("a.txt", tuple(hunks)),), "").lines

    assert lines[-2:] == [f"    {text.format('line')}", f"  {text.format('conflict')} in it"]


def test_work_in_the_mirrored_folder_is_not_written_over_by_a_settled_conflict(fork: Fork) -> None:
    with pytest.raises(PausedError):
        fork.sync("v1.2.0", refresh=True)
    (fork.root / "mirror/gateway/a.txt").write_bytes(b"mine\n")

    with pytest.raises(ToolError, match="changes that are not committed"):
        fork.go_on()


def test_a_patch_the_release_has_already_is_dropped(fork: Fork) -> None:
    fork.sync("v1.3.0", refresh=True)

    assert f"dropped {FIRST}: v1.3.0 has it already" in fork.said
    assert fork.declaration.patches.order == (SECOND, THIRD, FOURTH)
    assert not (fork.root / "patches" / FIRST).exists()
    assert errors(fork) == []


def test_abort_gives_a_paused_synchronization_up(fork: Fork) -> None:
    with pytest.raises(PausedError):
        fork.sync("v1.2.0", refresh=True)
    with pytest.raises(ToolError, match=r"a synchronization to v1\.2\.0 is open"):
        fork.sync("v1.1.0", refresh=True)

    abort(fork.declaration, fork.said.append)

    assert fork.is_clean()
    fork.sync("v1.1.0", refresh=True)


def test_a_dry_run_changes_nothing(fork: Fork) -> None:
    sync(fork.declaration, Options("v1.1.0", refresh=True, dry_run=True), fork.said.append)

    assert fork.is_clean()
    assert any("would sync v1.0.0 → v1.1.0" in line for line in fork.said)


def test_work_in_the_mirrored_folder_is_not_written_over(fork: Fork) -> None:
    (fork.root / "mirror/gateway/a.txt").write_bytes(b"mine\n")
    with pytest.raises(ToolError, match=r"changes that are not committed: mirror/gateway/a\.txt"):
        fork.sync("v1.1.0", refresh=True)
    git(fork.root, "add", "--all")
    with pytest.raises(ToolError, match="in the index is not the tree"):
        fork.sync("v1.1.0", refresh=True)

    sync(fork.declaration, Options("v1.1.0", refresh=True, discard=True), fork.said.append)

    assert errors(fork) == []


def test_files_in_both_releases_are_not_written_again(fork: Fork) -> None:
    path = fork.root / "mirror/gateway/sub/c.txt"
    before = path.stat().st_mtime_ns

    fork.sync("v1.1.0", refresh=True)

    assert path.stat().st_mtime_ns == before


def test_a_moved_tag_is_refused_until_it_is_accepted(tmp_path: Path) -> None:
    upstream = Upstream(tmp_path / "work")
    upstream.commit({"a": b"1\n"}, tag="v1.0.0")
    fork = Fork.make(tmp_path / "fork", "../work")
    fork.sync()
    fork.commit()
    upstream.commit({"a": b"2\n"})
    git(upstream.folder, "tag", "--force", "--annotate", "--message=x", "v1.0.0")

    with pytest.raises(ToolError, match=r"v1\.0\.0 is commit .* at \.\./work, and .* is pinned"):
        fork.sync()
    sync(fork.declaration, Options(accept_moved_tag=True), fork.said.append)
    assert (fork.root / "mirror/gateway/a").read_bytes() == b"2\n"


@pytest.mark.parametrize(
    ("limit", "text"),
    [
        ("files = 1", "files allows 1"),
        ("file_bytes = 5", "file_bytes allows 5"),
        ("total_bytes = 9", "total_bytes allows"),
    ],
)
def test_a_release_over_a_limit_is_refused(tmp_path: Path, upstream: Upstream, limit: str, text: str) -> None:
    fork = Fork.make(tmp_path / "fork", str(upstream.folder), f"\n[limits]\n{limit}\n")

    with pytest.raises(ToolError) as error:
        fork.sync("v1.0.0")

    assert any(text in line for line in error.value.details)


def test_links_that_lead_out_and_submodules_are_refused_and_can_be_excluded(tmp_path: Path) -> None:
    upstream = Upstream(tmp_path / "work")
    (upstream.folder / "out").symlink_to("../../secret")
    (upstream.folder / "in").symlink_to("sub/file")
    upstream.commit({"sub/file": b"x\n"}, tag="v1.0.0")
    fork = Fork.make(tmp_path / "fork", "../work")
    with pytest.raises(ToolError) as error:
        fork.sync()
    assert error.value.details == ("out: the link to ../../secret leads out of the mirrored folder",)

    text = fork.declaration.file.read_text(encoding="utf-8").replace("exclude = []", 'exclude = ["out"]')
    fork.declaration.file.write_text(text, encoding="utf-8")
    fork.sync()

    assert (fork.root / "mirror/gateway/in").is_symlink()
    assert errors(fork) == []


def test_a_malformed_old_commit_is_a_setting_with_a_help_line(tmp_path: Path) -> None:
    upstream = Upstream(tmp_path / "work")
    upstream.commit({"a": b"1\n"})
    commit = git(upstream.folder, "cat-file", "commit", "HEAD").replace(
        "Ann <ann@example.org> ", "Ann <ann@example.org>", 1
    )
    (tmp_path / "commit").write_text(commit + "\n", encoding="utf-8")
    malformed = git(upstream.folder, "hash-object", "-w", "-t", "commit", "--literally", str(tmp_path / "commit"))
    git(upstream.folder, "update-ref", "refs/heads/main", malformed)
    upstream.commit({"a": b"2\n"}, tag="v1.0.0")
    fork = Fork.make(tmp_path / "fork", "../work")
    with pytest.raises(ToolError) as error:
        fork.sync()
    assert 'fsck = { missingSpaceBeforeDate = "ignore" }' in error.value.hint

    with fork.declaration.file.open("a", encoding="utf-8") as file:
        file.write('\n[fetch]\nfsck = { missingSpaceBeforeDate = "ignore" }\n')
    fork.sync()

    assert errors(fork) == []


def test_an_upstream_with_attributes_and_odd_bytes_is_mirrored_byte_for_byte(tmp_path: Path) -> None:
    upstream = Upstream(tmp_path / "work")
    odd = {"crlf.txt": b"a\r\nb\r\n", "latin.txt": b"\xe9\n", "nul.bin": b"\0\1\n", "ignored.log": b"x\n"}
    upstream.commit({**odd, ".gitignore": b"*.txt\n"})
    git(upstream.folder, "add", "--force", "--all")
    attributes = b"*.txt text eol=crlf\n*.bin ident\n"
    upstream.commit({".gitattributes": attributes, "Ünï/größe": b"x\n"}, tag="v1.0.0")
    fork = Fork.make(tmp_path / "fork", "../work")
    fork.sync()
    # As it is in the index: `git add` would convert files whose time is that of the index.
    git(fork.root, "commit", "--quiet", "--message=release")

    stored = git(upstream.folder, "rev-parse", "v1.0.0^{tree}")
    assert fork.tree() == stored
    assert errors(fork) == []


def test_a_clone_has_files_as_the_attributes_of_the_upstream_convert_them(tmp_path: Path) -> None:
    upstream = Upstream(tmp_path / "upstream")
    rules = b"*.bat text eol=crlf\n*.id ident\n*.py filter=other\n"
    files = {"run.bat": b"a\nb\n", "a.id": b"$Id$\n", "a.py": b"x\n", "b c.sh": b"a\n"}
    upstream.commit({".gitattributes": rules, **files}, tag="v1.0.0")
    fork = Fork.make(tmp_path / "fork", str(upstream.folder))
    fork.sync("v1.0.0")
    fork.commit()
    git(tmp_path, "clone", "--quiet", "fork", "clone")
    clone = Fork(tmp_path / "clone", [])
    script = clone.root / "mirror/gateway/run.bat"

    assert script.read_bytes() == b"a\r\nb\r\n"
    assert errors(clone) == []
    git(clone.root, "config", "filter.other.smudge", "touch ran; cat")
    script.write_bytes(b"a\r\nc\r\n")
    (clone.root / "mirror/gateway/b c.sh").write_bytes(b"a\r\n")
    assert errors(clone) == ["MIR001", "MIR001"]
    assert not list(tmp_path.rglob("ran"))
