"""Bundles bound to the lock: every way to lose, break or exchange one is an error."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.repositories import Fork, Upstream, make_fork
from tools.mirrorkeeper.declaration.declaration import read_declaration
from tools.mirrorkeeper.lockfile.pin import read_pin
from tools.mirrorkeeper.mirror.source.bundle_folder import BundleFolder, file_hash
from tools.mirrorkeeper.mirror.source.fetched_bundles import FetchedBundles
from tools.mirrorkeeper.mirror.source.source import Source
from tools.mirrorkeeper.mirror.verify.verify import VerifyOptions, verify
from tools.mirrorkeeper.project import Project
from tools.mirrorkeeper.text import counted

pytestmark = pytest.mark.slow

NAMES = ("v1.0.0", "v1.1.0", "v1.2.0")


def record(folder: Path, names: tuple[str, ...] = NAMES) -> None:
    lines = [f"{file_hash(folder / f'{name}.bundle')}  {name}.bundle\n" for name in names]
    (folder / "SHA256SUMS").write_text("".join(lines), encoding="utf-8")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project at the middle one of three bundled releases."""
    folder = tmp_path_factory.mktemp("bundled")
    upstream, before = Upstream(folder / "work"), ""
    fork = make_fork(folder / "fork", "mirror/upstream")
    bundles = fork.root / "mirror/upstream"
    bundles.mkdir()
    for name in NAMES:
        upstream.commit({"a.txt": name.encode()}, tag=name)
        since = [f"^{before}"] if before else []
        upstream.git.run("bundle", "create", "--quiet", str(bundles / f"{name}.bundle"), "main", name, *since)
        before = name
    record(bundles)
    fork.sync("v1.1.0")
    fork.commit()
    return folder


@pytest.fixture
def fork(made: Path, tmp_path: Path) -> Fork:
    shutil.copytree(made / "fork", tmp_path / "fork", symlinks=True)
    return Fork(Project.at(tmp_path / "fork"))


def lose(folder: Path) -> None:
    (folder / "v1.1.0.bundle").unlink()


def lose_with_its_line(folder: Path) -> None:
    (folder / "v1.1.0.bundle").unlink()
    record(folder, ("v1.0.0", "v1.2.0"))


def lose_the_last_with_its_line(folder: Path) -> None:
    (folder / "v1.2.0.bundle").unlink()
    record(folder, NAMES[:2])


def lose_all(folder: Path) -> None:
    shutil.rmtree(folder)


def flip(folder: Path) -> None:
    bundle = folder / "v1.1.0.bundle"
    content = bytearray(bundle.read_bytes())
    content[-40] ^= 1
    bundle.write_bytes(bytes(content))


def flip_and_record(folder: Path) -> None:
    flip(folder)
    record(folder)


def swap(folder: Path) -> None:
    first, second = folder / "v1.0.0.bundle", folder / "v1.1.0.bundle"
    one, other = first.read_bytes(), second.read_bytes()
    first.write_bytes(other)
    second.write_bytes(one)
    record(folder)


def link(folder: Path) -> None:
    (folder / "v1.0.0.bundle").rename(folder.parent / "aside")
    (folder / "v1.0.0.bundle").symlink_to("../aside")


def reorder(folder: Path) -> None:
    record(folder, NAMES[::-1])


def become_a_repository(folder: Path) -> None:
    shutil.rmtree(folder)
    Upstream(folder).commit({"a.txt": b"v1.1.0"}, tag="v1.1.0")


@pytest.mark.parametrize(
    ("mutate", "codes"),
    [
        (lose, ["PIN005"]),
        (lose_with_its_line, ["PIN013"]),
        (lose_the_last_with_its_line, ["PIN013"]),
        (lose_all, ["PIN013"]),
        (flip, ["PIN004"]),
        (flip_and_record, ["PIN013"]),
        (swap, ["PIN013"]),
        (link, ["PIN004"]),
        (reorder, ["PIN013"]),
        (become_a_repository, ["PIN013"]),
    ],
)
def test_a_lost_broken_or_exchanged_bundle_is_an_error_in_every_mode(
    fork: Fork, mutate: Callable[[Path], None], codes: list[str]
) -> None:
    mutate(fork.root / "mirror/upstream")

    assert fork.codes() == codes
    assert verify(fork.project, VerifyOptions(prove=True)).status == 1


@pytest.mark.parametrize("lost", [True, False], ids=["missing", "empty"])
def test_a_lost_record_is_named_and_no_bundle_is_to_be_deleted(fork: Fork, *, lost: bool) -> None:
    place = fork.root / "mirror/upstream/SHA256SUMS"
    place.unlink()
    if not lost:
        place.touch()

    texts = [one.message for one in verify(fork.project, VerifyOptions()).findings if one.code == "PIN004"]
    assert texts == [f"is {'not there' if lost else 'empty'}, and 3 bundles beside it: nothing says which they are"]


def test_a_release_published_since_is_no_finding(fork: Fork, made: Path) -> None:
    upstream, bundles = Upstream(made / "work"), fork.root / "mirror/upstream"
    upstream.commit({"a.txt": b"next"}, tag="v1.3.0")
    upstream.git.run("bundle", "create", "--quiet", str(bundles / "v1.3.0.bundle"), "main", "v1.3.0", "^v1.2.0")
    record(bundles, (*NAMES, "v1.3.0"))

    assert fork.codes(prove=True) == []


def bind_anew(fork: Fork) -> None:
    """Forge a lock that names the bundles as they are now."""
    pin = read_pin(fork.project)
    assert pin is not None
    bundles = BundleFolder(fork.root / "mirror/upstream", "mirror/upstream").all()
    fork.project.lock_path.write_bytes(pin._replace(bundles=bundles).render())


def test_a_lock_that_is_bound_to_the_bundles_before_its_own_is_an_error(fork: Fork) -> None:
    pin = read_pin(fork.project)
    assert pin is not None
    first = BundleFolder(fork.root / "mirror/upstream", "mirror/upstream").first(1)
    fork.project.lock_path.write_bytes(pin._replace(bundles=first).render())
    assert fork.codes() == ["PIN013"]

    fork.sync()
    assert fork.codes() == []


def test_the_proof_opens_the_bundles_even_when_lock_and_record_agree_with_them(fork: Fork) -> None:
    flip_and_record(fork.root / "mirror/upstream")
    bind_anew(fork)
    assert fork.codes(prove=True) == ["PIN015"]


def test_the_proof_finds_another_release_of_the_pinned_name(fork: Fork, tmp_path: Path) -> None:
    bundles, other = fork.root / "mirror/upstream", Upstream(tmp_path / "other")
    other.commit({"a.txt": b"another"}, tag="v1.1.0")
    for path in bundles.iterdir():
        path.unlink()
    other.git.run("bundle", "create", "--quiet", str(bundles / "v1.1.0.bundle"), "main", "v1.1.0")
    record(bundles, ("v1.1.0",))
    bind_anew(fork)
    assert fork.codes(prove=True) == ["PIN015"]


def test_a_lock_that_does_not_name_the_bundles_yet_is_noted_and_written_anew(fork: Fork) -> None:
    pin = read_pin(fork.project)
    assert pin is not None
    assert pin.bundles is not None
    assert counted(pin.bundles.lines, "bundle") == "3 bundles"
    fork.project.lock_path.write_bytes(pin._replace(bundles=None, fetched_from="").render())
    assert fork.codes() == ["PIN014"]

    fork.sync()
    assert fork.codes() == []


def test_checks_of_one_command_fetch_the_bundles_once_and_leave_nothing_behind(fork: Fork) -> None:
    declaration, bundles = read_declaration(fork.project), fork.root / "mirror/upstream"
    newest = (bundles / "v1.2.0.bundle").rename(fork.root / "later.bundle")
    record(bundles, NAMES[:2])
    with FetchedBundles.for_a_command() as fetched:
        sources = [Source(fork.project, declaration, fetched=fetched) for _ in range(2)]
        first, again = (source.fetch(fork.root / "not-made", "v1.1.0") for source in sources)
        assert again is first
        assert set(Source.tags(first)) == set(NAMES[:2])
        newest.rename(bundles / "v1.2.0.bundle")
        record(bundles)
        later = sources[0].fetch(fork.root / "not-made", "v1.1.0")
        assert set(Source.tags(later)) == set(NAMES)
    assert not any(one.folder.exists() for one in (first, later))
    assert not (fork.root / "not-made").exists()
