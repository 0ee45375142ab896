from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.repositories import FILES, Fork, Upstream, make_fork
from tools.mirrorkeeper.mirror.source.cache import VARIABLE
from tools.mirrorkeeper.project import Project


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep what is fetched away from the cache of the person who runs the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture
def go() -> str:
    """The program of the language; only a machine of a person may lack it."""
    found = shutil.which("go")
    if found is None:
        assert os.environ.get("CI") != "true", "go is not installed; in CI nothing is left out: install Go"
        pytest.skip("go is not installed")
    return found


@pytest.fixture(scope="session")
def go_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build cache of this run that its processes share: Go's own library is compiled once, not for each test."""
    own = tmp_path_factory.getbasetemp()
    return (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "go-cache"


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An upstream with the release v1.0.0 and a project that mirrors it, committed; tests take copies."""
    folder = tmp_path_factory.mktemp("template")
    Upstream(folder / "upstream").commit(FILES, tag="v1.0.0")
    made = make_fork(folder / "fork", "../upstream")
    made.sync()
    made.commit()
    return folder


@pytest.fixture
def upstream(template: Path, tmp_path: Path) -> Upstream:
    """An upstream with the release v1.0.0."""
    shutil.copytree(template / "upstream", tmp_path / "upstream")
    return Upstream(tmp_path / "upstream")


@pytest.fixture
def fork(template: Path, upstream: Upstream, tmp_path: Path) -> Fork:
    """A project that mirrors v1.0.0, committed, beside its upstream."""
    assert upstream.folder == tmp_path / "upstream"
    shutil.copytree(template / "fork", tmp_path / "fork")
    return Fork(Project.at(tmp_path / "fork"))
