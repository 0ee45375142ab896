"""The cache of what was fetched: used, brought up to date, damaged, held by somebody else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.repositories import Fork, Upstream, make_fork
from tools.mirrorkeeper.errors import ToolError
from tools.mirrorkeeper.git.command import Git
from tools.mirrorkeeper.mirror.source.cache import VARIABLE, cache_folder
from tools.mirrorkeeper.system.lock import ProcessLock

pytestmark = pytest.mark.slow


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for caches."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache"


def packs(cache: Path) -> list[str]:
    return sorted(path.name for path in cache.glob("*.git/objects/pack/*.pack"))


def test_the_same_upstream_is_fetched_once_for_all_projects(cache: Path, upstream: Upstream, tmp_path: Path) -> None:
    upstream.commit({f"many/{at}": b"%d" % at for at in range(50)}, tag="v1.1.0")
    make_fork(tmp_path / "one", str(upstream.folder)).sync("v1.1.0")
    (first,) = packs(cache)
    other = make_fork(tmp_path / "other", str(upstream.folder))
    other.sync("v1.1.0")
    assert packs(cache) == [first]

    upstream.commit({"README.md": b"newer\n"}, tag="v1.2.0")
    other.sync("v1.2.0")
    (added,) = set(packs(cache)) - {first}
    (pack,) = cache.glob(f"*.git/objects/pack/{added}")
    brought = Git(tmp_path).run("verify-pack", "-v", str(pack.with_suffix(".idx"))).text
    kinds = [line.split()[1] for line in brought.splitlines() if line[:1] in "0123456789abcdef" and " " in line]
    assert sorted(kind for kind in kinds if kind in ("blob", "commit", "tag")) == ["blob", "commit", "tag"]
    assert other.codes(prove=True) == []


def _flip(repository: Path) -> None:
    path = next(iter(repository.glob("objects/pack/*.pack")))
    path.chmod(0o644)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def _lose_pack(repository: Path) -> None:
    for path in repository.glob("objects/pack/*"):
        path.unlink()


def _cut(repository: Path) -> None:
    path = next(iter(repository.glob("objects/pack/*.idx")))
    path.chmod(0o644)
    path.write_bytes(path.read_bytes()[:-30])


def _spoil_head(repository: Path) -> None:
    (repository / "HEAD").write_bytes(b"nonsense")


def _spoil_refs(repository: Path) -> None:
    for path in (repository / "refs/tags").iterdir():
        path.write_bytes(b"1" * 40 + b"\n")
    (repository / "packed-refs").write_bytes(b"nonsense\n")


def _lose_record(repository: Path) -> None:
    (repository / "packs.txt").unlink()


@pytest.mark.parametrize("damage", [_flip, _lose_pack, _cut, _spoil_head, _spoil_refs, _lose_record])
def test_a_damaged_cache_is_made_anew_and_nobody_notices(
    cache: Path, upstream: Upstream, tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    make_fork(tmp_path / "one", str(upstream.folder)).sync("v1.0.0")
    (repository,) = cache.glob("*.git")
    damage(repository)
    fork = make_fork(tmp_path / "other", str(upstream.folder))
    fork.sync("v1.0.0")
    assert fork.codes(prove=True) == []

    upstream.commit({"README.md": b"newer\n"}, tag="v1.1.0")
    fork.sync("v1.1.0")
    fork.sync("v1.0.0")
    assert fork.codes(prove=True) == []
    Git(repository, git_dir=repository).run("fsck", "--connectivity-only")


def test_a_cache_somebody_else_is_using_is_left_alone(cache: Path, upstream: Upstream, tmp_path: Path) -> None:
    make_fork(tmp_path / "one", str(upstream.folder)).sync("v1.0.0")
    (repository,) = cache.glob("*.git")
    before = packs(cache)
    upstream.commit({"README.md": b"newer\n"}, tag="v1.1.0")
    held = ProcessLock(repository.with_suffix(".lock"))
    held.acquire()
    fork = make_fork(tmp_path / "other", str(upstream.folder))
    fork.sync("v1.1.0")
    held.release()

    assert fork.codes(prove=True) == []
    assert packs(cache) == before


def test_without_a_place_to_write_to_there_is_no_cache_and_it_works(
    fork: Fork, upstream: Upstream, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    upstream.commit({"README.md": b"newer\n"}, tag="v1.1.0")
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv(VARIABLE, str(tmp_path / "file/below"))
    fork.sync("v1.1.0")

    assert fork.codes(prove=True) == []


def test_the_place_of_the_cache_is_the_users_to_choose() -> None:
    assert cache_folder({VARIABLE: "/a", "HOME": "/h"}) == Path("/a")
    assert cache_folder({VARIABLE: "", "HOME": "/h"}) is None
    assert cache_folder({"XDG_CACHE_HOME": "/x", "HOME": "/h"}) == Path("/x/upstream-mirrors")
    assert cache_folder({"HOME": "/h"}) == Path("/h/.cache/upstream-mirrors")
    assert cache_folder({}) is None


def test_a_tag_the_upstream_deleted_is_not_found_in_the_cache(cache: Path, fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"README.md": b"newer\n"}, tag="v1.1.0")
    fork.sync("v1.1.0")
    fork.sync("v1.0.0")
    assert cache.is_dir()
    upstream.git.run("tag", "--delete", "v1.1.0")

    with pytest.raises(ToolError, match=r"no tag 'v1\.1\.0'"):
        fork.sync("v1.1.0")
