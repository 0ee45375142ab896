from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.failing_files import FailingFiles, PowerLostError
from tests.tools.mirrorkeeper.repositories import Fork, Upstream, make_fork
from tools.mirrorkeeper.errors import Paused, ToolError
from tools.mirrorkeeper.git.command import Git
from tools.mirrorkeeper.project import Project
from tools.mirrorkeeper.system.files import DiskFiles
from tools.mirrorkeeper.upstream.opening import open_upstream
from tools.mirrorkeeper.upstream.publishing import Publication

pytestmark = pytest.mark.slow


class Maker:
    """A project whose upstream is a folder of bundles, and somebody who works on it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        there = (folder / "fork").exists()
        self.fork = Fork(Project.at(folder / "fork")) if there else make_fork(folder / "fork", "mirror/upstream")
        self.bundles = folder / "fork/mirror/upstream"

    def open(self, name: str = "work") -> Upstream:
        open_upstream(self.fork.project, self.folder / name)
        return Upstream(self.folder / name)

    def publish(self, work: Upstream, version: str | None = None) -> str:
        return Publication(self.fork.project, DiskFiles(), self.fork.said.append).run(work.folder, version)

    def record(self) -> list[str]:
        return [line.split("  ")[1] for line in (self.bundles / "SHA256SUMS").read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with one published release, v0.1.0; tests take copies."""
    folder = tmp_path_factory.mktemp("published")
    made = Maker(folder)
    work = made.open("first")
    work.commit({"a.txt": b"one\n"})
    made.publish(work, "0.1.0")
    return folder


@pytest.fixture
def maker(published: Path, tmp_path: Path) -> Maker:
    """A project with one published release, v0.1.0."""
    shutil.copytree(published / "fork", tmp_path / "fork")
    return Maker(tmp_path)


def test_a_release_goes_from_a_working_repository_into_the_mirror_and_back(maker: Maker) -> None:
    work = maker.open()
    assert (work.folder / "a.txt").read_bytes() == b"one\n"
    assert work.git.run("symbolic-ref", "--short", "HEAD").text == "main"
    work.commit({"a.txt": b"two\n"})
    assert maker.publish(work) == "v0.1.1"
    maker.fork.sync("v0.1.1")

    assert (maker.fork.mirror / "a.txt").read_bytes() == b"two\n"
    assert maker.fork.codes(prove=True) == []
    again = maker.open("again")
    assert again.git.run("rev-parse", "HEAD").text == work.git.run("rev-parse", "HEAD").text


def test_a_release_adds_one_bundle_of_what_is_new_and_touches_no_older_one(maker: Maker) -> None:
    before = {path.name: path.read_bytes() for path in maker.bundles.glob("*.bundle")}
    work = maker.open()
    work.commit({"b.txt": b"b"})
    maker.publish(work, "0.2.0")

    assert maker.record() == ["v0.1.0.bundle", "v0.2.0.bundle"]
    after = {path.name: path.read_bytes() for path in maker.bundles.glob("*.bundle")}
    assert {name: after[name] for name in before} == before
    listed = Git(maker.bundles).run("bundle", "list-heads", "v0.2.0.bundle").text.splitlines()
    assert [line.split(" ")[1] for line in listed] == ["refs/tags/v0.2.0"]
    first = work.git.run("rev-parse", "v0.1.0^{commit}").text
    head = (maker.bundles / "v0.2.0.bundle").read_bytes().split(b"\n\n")[0].decode()
    assert f"-{first}" in head


def test_the_record_is_one_that_sha256sum_reads(maker: Maker) -> None:
    digest = hashlib.sha256((maker.bundles / "v0.1.0.bundle").read_bytes()).hexdigest()

    assert (maker.bundles / "SHA256SUMS").read_text(encoding="utf-8") == f"{digest}  v0.1.0.bundle\n"


def test_a_release_is_an_annotated_tag_in_its_makers_name(maker: Maker) -> None:
    work = maker.open()
    tag = work.git.run("cat-file", "tag", "v0.1.0").text

    assert "tagger Ann Author <ann@example.test>" in tag
    assert tag.endswith("Release v0.1.0")


def test_commits_made_on_an_older_release_are_rebased_on_the_newest(maker: Maker) -> None:
    mine, theirs = maker.open("mine"), maker.open("theirs")
    theirs.commit({"b.txt": b"theirs"})
    maker.publish(theirs)
    mine.commit({"c.txt": b"mine"})

    assert maker.publish(mine) == "v0.1.2"
    assert (mine.folder / "b.txt").read_bytes() == b"theirs"
    assert mine.git.run("rev-list", "--count", "HEAD").text == "3"
    assert mine.git.run("log", "-1", "--format=%an").text == "Ann Author"


def test_a_rebase_that_conflicts_is_left_to_a_person_with_the_branch_as_it_was(maker: Maker) -> None:
    mine, theirs = maker.open("mine"), maker.open("theirs")
    theirs.commit({"a.txt": b"theirs"})
    maker.publish(theirs)
    commit = mine.commit({"a.txt": b"mine"})

    with pytest.raises(Paused, match=r"conflicts in a\.txt") as caught:
        maker.publish(mine)

    assert f"git -C {mine.folder.resolve()} rebase v0.1.1" in caught.value.advice
    assert mine.git.run("rev-parse", "HEAD").text == commit
    assert mine.git.run("status", "--porcelain").text == ""
    assert maker.record() == ["v0.1.0.bundle", "v0.1.1.bundle"]


def test_nothing_new_is_no_release(maker: Maker) -> None:
    with pytest.raises(ToolError, match=r"has nothing that v0\.1\.0 does not have"):
        maker.publish(maker.open())


@pytest.mark.parametrize(
    ("version", "message"), [("0.1.0", "not newer"), ("0.0.9", "not newer"), ("1.0", "is not a version")]
)
def test_a_version_has_to_be_newer_and_whole(maker: Maker, version: str, message: str) -> None:
    work = maker.open()
    work.commit({"b.txt": b"b"})

    with pytest.raises(ToolError, match=message):
        maker.publish(work, version)
    assert work.git.run("tag").text == "v0.1.0"


def test_a_release_that_the_project_names_otherwise_is_refused_and_leaves_no_tag(maker: Maker) -> None:
    work = maker.open()
    work.commit({"pyproject.toml": b'[project]\nversion = "0.1.0"\n'})

    with pytest.raises(ToolError, match=r"pyproject\.toml says version 0\.1\.0, and the release would be 0\.1\.1"):
        maker.publish(work)
    assert work.git.run("tag").text == "v0.1.0"
    assert maker.record() == ["v0.1.0.bundle"]


def test_the_first_release_names_its_version(tmp_path: Path) -> None:
    maker = Maker(tmp_path)
    work = maker.open()
    work.commit({"a.txt": b"one"})

    with pytest.raises(ToolError, match="first release") as caught:
        maker.publish(work)
    assert "--version 0.1.0" in caught.value.advice


def test_work_that_is_not_committed_would_be_lost_and_is_refused(maker: Maker) -> None:
    work = maker.open()
    (work.folder / "forgotten.txt").write_bytes(b"x")

    with pytest.raises(ToolError, match=r"not committed: forgotten\.txt"):
        maker.publish(work)


def test_another_branch_than_the_release_branch_is_refused(maker: Maker) -> None:
    work = maker.open()
    work.git.run("switch", "--quiet", "--create", "topic")

    with pytest.raises(ToolError, match="is on topic, releases are made from main"):
        maker.publish(work)


def test_a_repository_of_another_history_is_refused(maker: Maker) -> None:
    other = Upstream(maker.folder / "other")
    other.commit({"x": b"x"})

    with pytest.raises(ToolError, match="shares no history"):
        maker.publish(other)


def test_a_folder_that_is_not_a_repository_is_refused(maker: Maker) -> None:
    (maker.folder / "plain").mkdir()

    with pytest.raises(ToolError, match="is not a git repository"):
        Publication(maker.fork.project, DiskFiles(), maker.fork.said.append).run(maker.folder / "plain")


def test_a_folder_with_something_in_it_is_not_opened_into(maker: Maker) -> None:
    (maker.folder / "full").mkdir()
    (maker.folder / "full/mine").write_bytes(b"")

    with pytest.raises(ToolError, match="not empty"):
        open_upstream(maker.fork.project, maker.folder / "full")


def test_a_bundle_changed_missing_or_not_recorded_is_told(maker: Maker) -> None:
    maker.fork.sync()
    bundle = maker.bundles / "v0.1.0.bundle"
    whole = bundle.read_bytes()
    bundle.write_bytes(whole + b"x")
    assert maker.fork.codes() == ["PIN004"]
    with pytest.raises(ToolError, match="not the file that was recorded"):
        maker.open()
    bundle.write_bytes(whole)
    (maker.bundles / "v9.bundle").write_bytes(b"x")
    assert maker.fork.codes() == ["PIN004"]
    (maker.bundles / "v9.bundle").unlink()
    bundle.unlink()
    assert maker.fork.codes(prove=True) == ["PIN005"]


def test_power_lost_while_publishing_leaves_the_record_old_or_new_and_publishing_again_works(
    maker: Maker, tmp_path: Path
) -> None:
    work = maker.open()
    work.commit({"b.txt": b"b"})
    for at in range(1, 20):
        try:
            Publication(maker.fork.project, FailingFiles(at), maker.fork.said.append).run(work.folder)
            break
        except PowerLostError:
            recorded = maker.record()
            assert recorded in (["v0.1.0.bundle"], ["v0.1.0.bundle", "v0.1.1.bundle"])
            if recorded[-1] == "v0.1.1.bundle":
                break
            for path in maker.bundles.glob("v0.1.1.bundle"):
                with pytest.raises(ToolError, match="interrupted publish, delete it"):
                    maker.publish(work)
                path.unlink()

    assert open_upstream(maker.fork.project, tmp_path / "check").endswith("at v0.1.1, 2 releases")
