"""A project with three patches, and releases of its upstream that they meet."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirror.project import Fork, Upstream, numbered

WHY = "\n\nWhy: it is needed\nDrop-When: never"


@pytest.fixture(scope="session")
def upstream(tmp_path_factory: pytest.TempPathFactory) -> Upstream:
    """Releases: v1.1.0 moves lines, v1.2.0 meets two patches, v1.3.0 has the first one, v1.4.0 meets three."""
    upstream = Upstream(tmp_path_factory.mktemp("releases") / "work")
    files = {"a.txt": numbered(60), "b.txt": numbered(60), "sub/c.txt": numbered(60), "gone.txt": b"gone\n"}
    upstream.commit(files, tag="v1.0.0")
    # Line 18 lies in the context of the first patch: it applies by a merge alone.
    upstream.commit({"a.txt": numbered(60, line18="moved"), "new.txt": b"new\n", "gone.txt": None}, tag="v1.1.0")
    changed = {"a.txt": numbered(60, line20="theirs a"), "b.txt": numbered(60, line20="theirs b")}
    upstream.commit(changed, tag="v1.2.0", message="Change line 20")
    upstream.commit({"a.txt": numbered(60, line20="ours a"), "b.txt": numbered(60)}, tag="v1.3.0")
    upstream.commit({**changed, "sub/c.txt": numbered(60, line20="theirs c")}, tag="v1.4.0")
    return upstream


@pytest.fixture(scope="session")
def mails(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Four patches for v1.0.0: of a.txt, of b.txt, of the place that the first one changed, and of another file."""
    other = Upstream(tmp_path_factory.mktemp("mails") / "work")
    files = {"a.txt": numbered(60), "b.txt": numbered(60), "sub/c.txt": numbered(60), "gone.txt": b"gone\n"}
    other.commit(files)
    a, b = numbered(60, line20="ours a"), numbered(60, line20="ours b")
    first = other.mail({"a.txt": a}, f"first{WHY}")
    second = other.mail({"b.txt": b}, f"second{WHY}")
    other.commit({"a.txt": a})
    third = other.mail({"a.txt": numbered(60, line20="ours a", line21="ours a2")}, f"third{WHY}")
    fourth = other.mail({"sub/c.txt": numbered(60, line20="ours c")}, f"fourth{WHY}")
    return {"1-first.patch": first, "2-second.patch": second, "3-third.patch": third, "4-fourth.patch": fourth}


@pytest.fixture(scope="session")
def pinned(upstream: Upstream, mails: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> Fork:
    """A project at v1.0.0 with the four patches; tests take copies."""
    fork = Fork.make(tmp_path_factory.mktemp("pinned") / "fork", str(upstream.folder), patches=mails)
    fork.sync("v1.0.0")
    fork.commit()
    return fork


@pytest.fixture
def fork(pinned: Fork, tmp_path: Path) -> Fork:
    """A copy of the project at v1.0.0."""
    return pinned.copy(tmp_path / "fork")
