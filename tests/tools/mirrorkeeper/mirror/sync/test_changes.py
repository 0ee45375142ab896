from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.repositories import Fork, Upstream, contents, make_fork

pytestmark = pytest.mark.slow

LONG = b"".join(b"line %d\n" % count for count in range(40))


def moved(upstream: Upstream) -> None:
    """Releases: v1.1.0 has a long file more, v1.2.0 has it elsewhere with a line changed, and more besides."""
    upstream.commit({"a \u2028 b.txt": LONG, "keep.txt": LONG + b"kept\n"}, tag="v1.1.0")
    changes = {"a \u2028 b.txt": None, "docs/long.txt": LONG.replace(b"line 7", b"line seven")}
    upstream.commit({**changes, "README.md": b"other\n", "run.sh": None, "new": b"new", "more": b"m"}, tag="v1.2.0")


@pytest.mark.parametrize("with_git", [True, False])
def test_a_synchronization_tells_what_is_new_gone_changed_and_renamed(
    tmp_path: Path, upstream: Upstream, *, with_git: bool
) -> None:
    moved(upstream)
    fork = make_fork(tmp_path / "fork", str(upstream.folder), with_git=with_git)
    fork.sync("v1.1.0")
    assert "added" not in fork.said[-1]
    before = contents(fork.root / "mirror")

    fork.sync("v1.2.0", dry_run=True)
    said = fork.said[-2:]
    fork.sync("v1.2.0")

    assert said[0].endswith("; 2 added, 1 removed, 1 changed, 1 renamed")
    assert said[1] == "  renamed 'a \\u2028 b.txt' → docs/long.txt"
    assert [line.replace("brought", "would bring") for line in fork.said[-2:]] == said
    assert contents(fork.root / "mirror") != before


def test_a_file_changed_by_hand_is_no_source_of_a_rename(fork: Fork, upstream: Upstream) -> None:
    moved(upstream)
    fork.sync("v1.1.0")
    (fork.mirror / "a \u2028 b.txt").write_bytes(b"mine\n")
    (fork.mirror / "README.md").write_bytes(b"mine\n")
    fork.sync("v1.2.0", discard=True)

    assert fork.said[-1].endswith("; 3 added, 2 removed, 1 changed")


def test_many_renames_are_told_by_the_first_twenty(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({f"a/{count}": LONG + b"%d" % count for count in range(25)}, tag="v1.1.0")
    upstream.commit(
        {path: text for at in range(25) for path, text in ((f"a/{at}", None), (f"b/{at}", LONG + b"%d" % at))},
        tag="v1.2.0",
    )
    fork.sync("v1.1.0")
    fork.sync("v1.2.0")

    assert fork.said[-22].endswith("; 25 renamed")
    assert fork.said[-21] == "  renamed a/0 → b/0"
    assert fork.said[-1] == "  renamed 5 more: python -m tools mirror diff --name-status v1.1.0..v1.2.0"
