"""Situations that tools of this kind pass over or get wrong, each in real repositories."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.repositories import Fork, Upstream, contents, make_fork
from tests.tools.mirrorkeeper.series.test_series import diff, patched_fork
from tools.mirrorkeeper.errors import ToolError
from tools.mirrorkeeper.git.command import Git
from tools.mirrorkeeper.mirror.diagnosis.doctor import doctor
from tools.mirrorkeeper.mirror.verify.verify import VerifyOptions, verify


def test_chmod_of_a_mirrored_file_is_mode_drift(fork: Fork) -> None:
    (fork.mirror / "README.md").chmod(0o755)

    assert fork.found() == [("MIR004", "mirror/gateway/README.md")]


def test_any_edit_of_a_patched_file_beyond_its_patch_is_found(tmp_path: Path, upstream: Upstream) -> None:
    fork = patched_fork(tmp_path / "fork", upstream, diff(upstream, {"README.md": b"ours\n"}))
    fork.sync()
    (fork.mirror / "README.md").write_bytes(b"ours\nand more\n")

    assert fork.found() == [("MIR001", "mirror/gateway/README.md")]


def test_a_link_added_to_the_mirror_is_found(fork: Fork) -> None:
    (fork.mirror / "link").symlink_to("README.md")

    assert fork.found() == [("MIR006", "mirror/gateway/link")]


def test_links_of_the_upstream_are_compared_by_their_text(fork: Fork, upstream: Upstream) -> None:
    (upstream.folder / "link").symlink_to("README.md")
    upstream.commit({}, tag="v1.1.0")
    fork.sync("v1.1.0")
    fork.commit()
    assert fork.found() == []

    (fork.mirror / "link").unlink()
    (fork.mirror / "link").symlink_to("run.sh")
    assert fork.found() == [("MIR001", "mirror/gateway/link")]


@pytest.mark.parametrize("way", ["attributes", "setting"])
def test_crlf_in_a_working_file_that_git_would_normalize_is_a_note_of_its_own(fork: Fork, way: str) -> None:
    if way == "attributes":
        (fork.root / ".gitattributes").write_bytes(b"* text eol=lf\n")
    else:
        fork.unguarded()
        fork.project.git.run("config", "core.autocrlf", "true")
    (fork.mirror / "README.md").write_bytes(b"upstream\r\n")

    code = "ENV009" if way == "attributes" else "ENV010"
    assert fork.found() == [(code, "mirror/gateway/README.md"), ("MIR007", "mirror/gateway/README.md")]
    assert ("ENV007" in [one.code for one in doctor(fork.project).findings]) == (way == "setting")


def test_every_path_of_the_upstream_counts_wherever_it_lies(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"LICENSE": b"free\n"}, tag="v1.1.0")
    fork.sync("v1.1.0")
    (fork.mirror / "LICENSE").unlink()
    (fork.mirror / "docs").mkdir()
    (fork.mirror / "docs/evil.md").write_bytes(b"evil\n")

    assert fork.found() == [("MIR003", "mirror/gateway/LICENSE"), ("MIR006", "mirror/gateway/docs/evil.md")]


def test_a_local_folder_declared_inside_the_mirror_is_refused(tmp_path: Path, upstream: Upstream) -> None:
    fork = make_fork(tmp_path / "fork", str(upstream.folder), '[patches]\nfolder = "mirror/gateway/patches"\n')

    with pytest.raises(ToolError, match="must lie outside the mirrored folder"):
        fork.sync()


def test_an_exclusion_of_what_is_not_there_is_a_stale_declaration(tmp_path: Path, upstream: Upstream) -> None:
    fork = make_fork(tmp_path / "fork", str(upstream.folder), exclude='["run.sh", "gone.txt"]')
    fork.sync()

    assert fork.found() == [("MIR008", "mirror/upstream.toml")]


def test_odd_names_are_mirrored_compared_and_shown(fork: Fork, upstream: Upstream) -> None:
    names = ["a\nb", "tab\there", 'quo"te', "-dash", ":colon", "ünïcode", "spa ce"]
    upstream.commit(dict.fromkeys(names, b"odd\n"), tag="v1.1.0")
    fork.sync("v1.1.0")
    fork.commit()
    assert fork.codes(prove=True) == []

    for name in names:
        (fork.mirror / name).write_bytes(b"changed\n")
    shown = ["-dash", ":colon", "a\\nb", 'quo"te', "spa ce", "tab\\there", "ünïcode"]
    assert fork.found() == [("MIR001", f"mirror/gateway/{name}") for name in shown]


def test_a_name_that_is_not_utf8_is_given_to_programs_exactly(fork: Fork, upstream: Upstream) -> None:
    subprocess.run(["git", "mv", b"README.md", b"\xff"], cwd=upstream.folder, check=True)
    upstream.commit({}, tag="v1.1.0")
    fork.sync("v1.1.0")
    fork.commit()
    assert fork.codes(prove=True) == []

    path = next(path for path in fork.mirror.iterdir() if "\udcff" in path.name)
    path.write_bytes(b"changed\n")
    (finding,) = verify(fork.project, VerifyOptions()).findings
    assert (finding.shown_path, finding.as_json()["path_base64"]) == (
        "mirror/gateway/\\xff",
        "bWlycm9yL2dhdGV3YXkv/w==",
    )


@pytest.mark.parametrize("kind", ["bare", "worktree", "bundle", "shallow"])
def test_the_upstream_may_be_any_kind_of_repository(tmp_path: Path, upstream: Upstream, kind: str) -> None:
    place = tmp_path / kind
    upstream.commit({"README.md": b"newer\n"}, tag="v1.1.0")
    if kind == "bare":
        Git(tmp_path).run("clone", "--quiet", "--bare", str(upstream.folder), str(place))
    elif kind == "worktree":
        upstream.git.run("worktree", "add", "--quiet", str(place), "v1.0.0")
    elif kind == "bundle":
        upstream.git.run("bundle", "create", "--quiet", str(place), "--all")
    else:
        Git(tmp_path).run("clone", "--quiet", "--depth=1", upstream.folder.as_uri(), str(place))
    fork = make_fork(tmp_path / "fork", str(place))
    fork.sync("v1.1.0")

    assert fork.codes(prove=True) == []
    assert (fork.mirror / "README.md").read_bytes() == b"newer\n"


def test_a_pin_that_is_no_object_id_is_refused(fork: Fork) -> None:
    text = fork.project.lock_path.read_text(encoding="utf-8")
    commit = fork.project.git.run("rev-parse", "HEAD").text
    assert commit not in text
    line = next(line for line in text.splitlines() if line.startswith("commit = "))
    fork.project.lock_path.write_text(text.replace(line, 'commit = "HEAD"'), encoding="utf-8")

    with pytest.raises(ToolError, match="must be a full object id, not 'HEAD'"):
        fork.codes()


def test_a_lock_with_other_line_endings_is_the_same_lock(fork: Fork) -> None:
    fork.project.lock_path.write_bytes(fork.project.lock_path.read_bytes().replace(b"\n", b"\r\n"))

    assert fork.codes(prove=True) == []


def test_an_empty_folder_is_nothing_to_git_and_nothing_to_us(fork: Fork) -> None:
    (fork.mirror / "empty/deeper").mkdir(parents=True)

    assert fork.codes(prove=True) == []
    fork.sync(discard=True)
    assert not (fork.mirror / "empty").exists()


def test_build_output_is_told_apart_from_added_files(fork: Fork) -> None:
    (fork.root / ".gitignore").write_bytes(b"*.o\n")
    (fork.mirror / "a.o").write_bytes(b"x")
    (fork.mirror / "a.c").write_bytes(b"x")

    assert fork.found() == [("MIR006", "mirror/gateway/a.c"), ("MIR010", "mirror/gateway/a.o")]


def test_temporary_folders_inside_a_repository_change_nothing(
    tmp_path: Path, upstream: Upstream, monkeypatch: pytest.MonkeyPatch
) -> None:
    fork = patched_fork(tmp_path / "fork", upstream, diff(upstream, {"README.md": b"ours\n"}))
    (fork.root / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(fork.root / "tmp"))
    monkeypatch.setattr("tempfile.tempdir", None)
    fork.sync()

    assert (fork.mirror / "README.md").read_bytes() == b"ours\n"
    assert fork.codes(prove=True) == []


def test_a_patch_without_object_ids_is_refused(tmp_path: Path, upstream: Upstream) -> None:
    text = "Why: it must\nForwarded: no\n\n--- a/README.md\n+++ b/README.md\n@@ -1 +1 @@\n-upstream\n+ours\n"
    with pytest.raises(ToolError, match="no `diff --git` section"):
        patched_fork(tmp_path / "one", upstream, text).sync()
    text = text.replace("--- a", "diff --git a/README.md b/README.md\n--- a")
    with pytest.raises(ToolError, match="is not the file it was made for"):
        patched_fork(tmp_path / "two", upstream, text).sync()


def test_a_fresh_clone_proves_itself_offline_and_misses_a_bundle_that_is_gone(tmp_path: Path) -> None:
    upstream = Upstream(tmp_path / "work")
    fork = make_fork(tmp_path / "fork", "mirror/upstream")
    upstream.commit({"a": b"a\n"}, tag="v0.1.0")
    (fork.root / "mirror/upstream").mkdir()
    bundle = fork.root / "mirror/upstream/v0.1.0.bundle"
    upstream.git.run("bundle", "create", "--quiet", str(bundle), "main", "v0.1.0")
    record = subprocess.run(["sha256sum", bundle.name], cwd=bundle.parent, check=True, capture_output=True).stdout
    (bundle.parent / "SHA256SUMS").write_bytes(record)
    fork.sync()
    fork.commit()
    shutil.rmtree(upstream.folder)
    Git(tmp_path).run("clone", "--quiet", str(fork.root), str(tmp_path / "clone"))
    clone = Fork(type(fork.project).at(tmp_path / "clone"))
    shutil.rmtree(fork.root)

    assert clone.codes(prove=True) == []
    (clone.root / "mirror/upstream/v0.1.0.bundle").unlink()
    report = verify(clone.project, VerifyOptions(prove=True))
    assert ([one.code for one in report.findings], report.status) == (["PIN005"], 1)
    shutil.rmtree(clone.root / "mirror/upstream")
    assert clone.codes() == ["PIN013"]
    assert sorted(contents(clone.mirror)) == ["a"]
