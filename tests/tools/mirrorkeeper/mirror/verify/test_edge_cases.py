"""Cases that real upstreams and real checkouts bring, each in real repositories."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.repositories import FILES, WHO, Fork, Upstream, contents, make_fork
from tests.tools.mirrorkeeper.series.test_series import HEAD, diff, patched_fork
from tools.mirrorkeeper.errors import Paused, ToolError
from tools.mirrorkeeper.git.command import Git
from tools.mirrorkeeper.lockfile.pin import read_pin
from tools.mirrorkeeper.mirror.diagnosis.doctor import doctor
from tools.mirrorkeeper.mirror.source.bundle_folder import file_hash
from tools.mirrorkeeper.mirror.verify.verify import VerifyOptions, verify
from tools.mirrorkeeper.project import Project

pytestmark = pytest.mark.slow

README = "mirror/gateway/README.md"


def test_a_patch_that_changes_only_a_mode_is_applied_and_proven(tmp_path: Path, upstream: Upstream) -> None:
    (upstream.folder / "README.md").chmod(0o755)
    text = upstream.git.run("diff", "--full-index").stdout.decode()
    upstream.git.run("reset", "--quiet", "--hard")
    fork = patched_fork(tmp_path / "fork", upstream, HEAD + "\n" + text)
    fork.sync()

    assert (fork.mirror / "README.md").stat().st_mode & 0o100
    assert fork.codes(prove=True) == []


def test_a_tree_that_breaks_its_own_attributes_is_mirrored_exactly_and_the_doctor_says_so(
    fork: Fork, upstream: Upstream
) -> None:
    upstream.commit({"a.txt": b"one\r\n"}, message="before the attributes")
    (upstream.folder / ".gitattributes").write_bytes(b"*.txt text\n")
    upstream.git.run("add", ".gitattributes")
    upstream.git.run("commit", "--quiet", "--message=attributes", environment=WHO)
    upstream.git.run("tag", "v1.1.0")
    fork.sync("v1.1.0")
    fork.project.git.run("commit", "--quiet", "--message=two", environment=WHO)

    assert (fork.mirror / "a.txt").read_bytes() == b"one\r\n"
    assert fork.codes(prove=True) == []
    assert ("ENV006", "mirror/gateway/a.txt") in [(one.code, one.shown_path) for one in doctor(fork.project).findings]


def test_export_attributes_drop_and_rewrite_nothing(fork: Fork, upstream: Upstream) -> None:
    attributes = b"secret export-ignore\nversion export-subst\n"
    files = {".gitattributes": attributes, "secret": b"kept\n", "version": b"$Format:%H$\n"}
    upstream.commit(files, tag="v1.1.0")
    fork.sync("v1.1.0")

    assert {name: (fork.mirror / name).read_bytes() for name in files} == files


def test_a_repository_inside_the_mirror_is_found(fork: Fork) -> None:
    Upstream(fork.mirror / "nested").commit({"a": b"a"})

    found = fork.found()
    assert found
    assert {code for code, _ in found} == {"MIR006"}


def test_a_tag_without_an_object_of_its_own_is_pinned_as_that(fork: Fork, upstream: Upstream) -> None:
    commit = upstream.commit({"a": b"a"})
    upstream.git.run("tag", "v1.1.0")
    fork.sync("v1.1.0")

    pin = read_pin(fork.project)
    assert pin is not None
    assert pin.tag is not None
    assert (pin.tag.kind, pin.tag.oid, pin.tag_object) == ("lightweight", commit, b"")
    assert fork.codes(prove=True) == []


def test_context_that_changed_is_never_guessed_over(tmp_path: Path, upstream: Upstream) -> None:
    lines = [b"line %d\n" % number for number in range(9)]
    upstream.commit({"a.txt": b"".join(lines)}, tag="v1.1.0")
    patch = diff(upstream, {"a.txt": b"".join(lines).replace(b"line 4", b"LINE 4")})
    upstream.commit({"a.txt": b"".join(lines).replace(b"line 2", b"changed")}, tag="v1.2.0")
    fork = patched_fork(tmp_path / "fork", upstream, patch)

    with pytest.raises(Paused, match="does not apply"):
        fork.sync("v1.2.0")
    assert not fork.mirror.exists()


def test_a_mirror_moved_within_the_project_is_the_same_mirror(fork: Fork) -> None:
    fork.moved("vendor/up")

    assert verify(fork.project, VerifyOptions(prove=True, strict=True)).status == 0
    assert verify(fork.project, VerifyOptions()).status == 0


def sha256_upstream(folder: Path) -> Upstream:
    folder.mkdir()
    Git(folder).run("init", "--quiet", "--object-format=sha256", "--initial-branch=main", ".")
    upstream = Upstream(folder)
    upstream.commit(FILES, tag="v1.0.0")
    return upstream


def test_repositories_of_the_longer_object_ids_are_mirrored_into_such(tmp_path: Path) -> None:
    upstream = sha256_upstream(tmp_path / "upstream")
    fork = make_fork(tmp_path / "fork", str(upstream.folder), with_git=False)
    fork.project.git.run("init", "--quiet", "--object-format=sha256", ".")
    fork = Fork(Project.at(fork.root))
    fork.sync()
    fork.project.git.run("add", "--all")
    fork.project.git.run("commit", "--quiet", "--message=one", environment=WHO)

    pin = read_pin(fork.project)
    assert pin is not None
    assert len(pin.commit) == 64
    assert fork.codes(prove=True) == []
    assert verify(fork.project, VerifyOptions()).checks[0].summary.endswith("by git's records")


def test_an_upstream_of_another_object_format_is_refused_with_the_reason(tmp_path: Path) -> None:
    upstream = sha256_upstream(tmp_path / "upstream")
    fork = make_fork(tmp_path / "fork", str(upstream.folder))

    with pytest.raises(ToolError, match="object format sha1, the upstream of sha256"):
        fork.sync()
    assert not fork.mirror.exists()


@pytest.mark.parametrize("kind", ["clone", "bundle", "bundles", "address"])
def test_a_project_without_git_mirrors_in_whatever_object_format_the_upstream_has(tmp_path: Path, kind: str) -> None:
    upstream = sha256_upstream(tmp_path / "upstream")
    place = {"clone": str(upstream.folder), "address": upstream.folder.as_uri()}.get(kind, str(tmp_path / kind))
    if kind.startswith("bundle"):
        bundle = tmp_path / ("bundle" if kind == "bundle" else "bundles/v1.0.0.bundle")
        bundle.parent.mkdir(exist_ok=True)
        upstream.git.run("bundle", "create", "--quiet", str(bundle), "--all")
        (bundle.parent / "SHA256SUMS").write_text(f"{file_hash(bundle)}  {bundle.name}\n", encoding="utf-8")
    fork = make_fork(tmp_path / "fork", place, with_git=False)
    fork.sync()

    pin = read_pin(fork.project)
    assert (pin and pin.object_format, fork.codes(prove=True)) == ("sha256", [])
    fork.sync("v1.0.0")
    assert sorted(contents(fork.mirror)) == sorted(FILES)


def test_a_sparse_checkout_is_compared_as_far_as_it_goes(fork: Fork) -> None:
    fork.project.git.run("reset", "--quiet", "--hard")
    fork.project.git.run("sparse-checkout", "set", "--no-cone", "/*", "!/mirror/gateway/src")
    assert not (fork.mirror / "src").exists()
    report = verify(fork.project, VerifyOptions())
    assert ([one.code for one in report.findings], report.status) == (["MIR014"], 0)

    (fork.mirror / "README.md").write_bytes(b"mine\n")
    assert fork.codes() == ["MIR014", "MIR001"]


def test_a_file_git_is_told_not_to_look_at_is_found_changed_or_not(fork: Fork) -> None:
    fork.project.git.run("update-index", "--assume-unchanged", README)
    assert fork.found() == [("MIR013", README)]

    (fork.mirror / "README.md").write_bytes(b"mine\n")
    assert fork.found() == [("MIR001", README), ("MIR013", README)]


def test_a_lock_with_conflict_markers_says_what_to_do(fork: Fork) -> None:
    text = fork.project.lock_path.read_text(encoding="utf-8")
    fork.project.lock_path.write_text(f"<<<<<<< ours\n{text}=======\n>>>>>>> theirs\n", encoding="utf-8")

    with pytest.raises(ToolError, match="has conflict markers") as caught:
        fork.codes()
    assert "mirror sync" in caught.value.advice


def test_a_single_commit_is_judged_by_its_own_lock(fork: Fork, upstream: Upstream) -> None:
    good = fork.project.git.run("rev-parse", "HEAD").text
    (fork.mirror / "README.md").write_bytes(b"mine\n")
    fork.commit()

    report = verify(fork.project, VerifyOptions(revision="HEAD"))
    assert [(one.code, one.shown_path) for one in report.findings] == [("MIR001", README)]
    assert verify(fork.project, VerifyOptions(revision=good)).findings == ()
    with pytest.raises(ToolError, match="holds no"):
        verify(fork.project, VerifyOptions(revision="HEAD~2"))
    with pytest.raises(ToolError, match="no commit"):
        verify(fork.project, VerifyOptions(revision="nowhere"))
    assert upstream.folder.is_dir()


def test_the_pinned_release_again_does_nothing_when_nothing_changed(fork: Fork) -> None:
    fork.project.git.run("update-index", "-q", "--refresh")  # a copy of a project has files of its own
    before = contents(fork.root)
    fork.sync()

    assert fork.said[-1].startswith("the mirror is at v1.0.0 already")
    assert contents(fork.root) == before


def test_a_quick_verify_reads_no_file_and_an_edit_makes_it_read_all(fork: Fork) -> None:
    fork.project.git.run("update-index", "-q", "--refresh")
    assert verify(fork.project, VerifyOptions()).checks[0].summary.endswith("unchanged by git's records")
    assert "compared" in verify(fork.project, VerifyOptions(hashed=True)).checks[0].summary
    (fork.mirror / "README.md").touch()
    assert "compared" in verify(fork.project, VerifyOptions()).checks[0].summary
