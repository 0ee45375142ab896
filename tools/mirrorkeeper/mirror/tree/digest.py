"""The SHA-256 ids of trees: computed from objects in git, and compared with the files at hand.

Git sees two files that were made to have one SHA-1; the quick hash of files does not. A lock that holds the
id of the same tree in git's SHA-256 format as well is not satisfied by a file that was exchanged for such a twin.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ...git.command import Git
from ...git.objects import SUBMODULE, Row, object_id, tree_id
from .listing import read_objects, read_tree_rows

_BATCH = 2_000


def sha256_of_trees(repository: Git, trees: Sequence[str]) -> tuple[str, ...]:
    """The SHA-256 ids of trees whose objects are in a repository of either format, contents read once."""
    rows = [read_tree_rows(repository, tree) or [] for tree in trees]
    blobs = sha256_of_blobs(repository, {row.oid for listed in rows for row in listed if row.mode != SUBMODULE})
    return tuple(tree_id((row._replace(oid=blobs[row.oid]) for row in listed), "sha256") for listed in rows)


def sha256_of_blobs(repository: Git, oids: Iterable[str]) -> dict[str, str]:
    """The SHA-256 id of each blob by the id it has in the repository."""
    ordered = sorted(oids)
    found: dict[str, str] = {}
    for start in range(0, len(ordered), _BATCH):
        batch = ordered[start : start + _BATCH]
        contents = read_objects(repository, batch)
        found.update((oid, object_id("blob", content, "sha256")) for oid, content in zip(batch, contents, strict=True))
    return found


def sha256_of_files(rows: Iterable[Row], digests: Mapping[bytes, str]) -> str:
    """The SHA-256 id of the tree that the rows of working files make, each with its own digest."""
    return tree_id([(path, mode, digests[path]) for path, mode, _ in rows], "sha256")  # a `Row` each takes a third more
