"""Names of releases, folders of bundles, and where releases are fetched from."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirror.project import Fork, Upstream, git
from tools.mirror.errors import ToolError
from tools.mirror.releases import BundleFolder, Source, UpstreamRelease, is_newer, is_prerelease, latest, newest_first
from tools.mirror.repository import Repository

RELEASES = ["1.0", "1.2.3", "2.0.post1", "1.0.2k", "1.2.0+incompatible", "1.2.0+build-rc1", "2026.11.28", "2.0-r1"]
PRERELEASES = [
    *["2.0rc1", "2.0a1", "2.0b2", "2.0c1", "2.0.dev3", "2.0.rc2", "2.0-preview1", "2.0alpha"],  # PEP 440
    *["1.2.3-rc.1", "3.0.0-alpha", "1.0.0-0.3.7", "1.0.0-x.7.z.92+build"],  # semver
    *["1.0.0-0.20200101120000-abcdefabcdef"],  # Go
]


@pytest.mark.parametrize("version", PRERELEASES)
def test_prereleases_of_pep_440_go_and_semver_are_no_releases(version: str) -> None:
    assert is_prerelease(version)


@pytest.mark.parametrize("version", RELEASES)
def test_releases_post_releases_and_builds_are(version: str) -> None:
    assert not is_prerelease(version)


def test_versions_are_in_the_order_people_read_them() -> None:
    ordered = ["2.0.1", "2.0.post1", "2.0", "2.0rc1", "2.0b2", "2.0a1", "2.0.dev1", "1.10.0", "1.9.1", "1.9.0-rc.10"]
    assert newest_first(sorted(ordered)) == ordered
    assert newest_first(["1.0.0-rc.2", "1.0.0-rc.10", "nightly"]) == ["1.0.0-rc.10", "1.0.0-rc.2"]
    assert not is_newer("1.0", "1.0.0")


def test_the_latest_is_a_prerelease_only_where_there_is_nothing_else() -> None:
    rows = [UpstreamRelease("v2.0rc1", "2.0rc1", "", ""), UpstreamRelease("v1.0", "1.0", "", "")]
    assert latest(rows) == rows[1]
    assert latest(rows[:1]) == rows[0]
    assert latest([]) is None


@pytest.fixture
def bundled(tmp_path: Path) -> tuple[Fork, Upstream]:
    """A project with a folder of two bundles."""
    upstream = Upstream(tmp_path / "work")
    fork = Fork.make(tmp_path / "fork", "mirror/upstream")
    upstream.commit({"a": b"1\n"}, tag="v1.0.0")
    upstream.commit({"a": b"2\n"}, tag="v1.1.0")
    upstream.bundle(fork.root / "mirror/upstream", "v1.0.0")
    upstream.bundle(fork.root / "mirror/upstream", "v1.1.0", "v1.0.0")
    return fork, upstream


def test_bundles_are_fetched_in_the_order_of_their_record(bundled: tuple[Fork, Upstream], tmp_path: Path) -> None:
    repository = Repository.create(tmp_path / "bare")

    releases = Source.of(bundled[0].declaration).fetch(repository)

    assert [release.tag for release in releases] == ["v1.1.0", "v1.0.0"]
    assert releases[0].commit == repository.commit_of("v1.1.0")


def test_a_release_that_was_published_again_is_fetched_again(bundled: tuple[Fork, Upstream], tmp_path: Path) -> None:
    fork, upstream = bundled
    repository = Repository.create(tmp_path / "bare")
    Source.of(fork.declaration).fetch(repository)
    folder = fork.root / "mirror/upstream"
    (folder / "SHA256SUMS").unlink()
    other = Upstream(tmp_path / "other")
    other.commit({"a": b"other\n"}, tag="v1.0.0")
    other.bundle(folder, "v1.0.0")
    (folder / "v1.1.0.bundle").unlink()

    releases = Source.of(fork.declaration).fetch(repository)

    assert [release.tag for release in releases] == ["v1.0.0"]
    assert releases[0].commit != upstream.commit({"b": b""})


def test_problems_of_a_folder_are_named(bundled: tuple[Fork, Upstream]) -> None:
    path = bundled[0].root / "mirror/upstream"
    folder = BundleFolder(path, "bundles")
    assert folder.problems() == []
    (path / "v1.1.0.bundle").write_bytes(b"x")
    (path / "v2.bundle").write_bytes(b"x")
    (path / "v1.0.0.bundle").unlink()
    assert [name for name, _ in folder.problems()] == ["v1.0.0.bundle", "v1.1.0.bundle", "v2.bundle"]
    (path / "SHA256SUMS").write_text("nonsense\n", encoding="utf-8")
    with pytest.raises(ToolError, match="line 1: not a hash"):
        folder.bundles()


def test_a_source_that_cannot_be_reached_is_an_error_with_a_next_step(tmp_path: Path) -> None:
    fork = Fork.make(tmp_path / "fork", "file:///nowhere/at/all")
    with pytest.raises(ToolError, match="cannot be fetched") as error:
        fork.sync()
    assert error.value.hint


def test_another_source_is_noted_in_the_lock(bundled: tuple[Fork, Upstream]) -> None:
    fork, upstream = bundled
    fork.sync("v1.1.0", source=str(upstream.folder))
    assert f'fetched_from = "{upstream.folder}"' in fork.declaration.lock_file.read_text(encoding="utf-8")


def test_a_release_that_the_upstream_took_back_is_offered_no_longer(tmp_path: Path) -> None:
    upstream = Upstream(tmp_path / "work")
    upstream.commit({"a": b"1\n"}, tag="v1.0.0")
    upstream.commit({"a": b"2\n"}, tag="v1.1.0")
    fork = Fork.make(tmp_path / "fork", "../work")
    repository = Repository.create(tmp_path / "bare")
    assert len(Source.of(fork.declaration).fetch(repository)) == 2
    git(upstream.folder, "tag", "--delete", "v1.1.0")
    assert [release.tag for release in Source.of(fork.declaration).fetch(repository)] == ["v1.0.0"]
