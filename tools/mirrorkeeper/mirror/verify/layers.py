"""Layers of a project that hold the mirrored tree: the working files, the index, the last commit, each judged apart.

Index and commit are judged by the lock they hold themselves, so that a synchronization that is not committed yet is
no drift, and a commit that holds a tree and another tree's lock is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from ...declaration.declaration import Declaration
from ...git.objects import SUBMODULE, Row, tree_id
from ...git.tree_diff import DifferenceKind, Rows, TreeDifference, differences
from ...git.worktree import read_rows
from ...lockfile.pin import Pin, parse_pin
from ...project import Project
from ...system.blocked_path import BlockedPath
from ..tree.blocked_path import blocked_path
from ..tree.filesystem_features import Ability, as_meant, features_of
from ..tree.listing import read_tree_rows
from ..tree.staged_listing import parse_staged, staged_listing
from .stored_layers import StoredLayers


class Layer(StrEnum):
    """Layer in which a difference was seen."""

    COMMIT = "last commit"
    INDEX = "index"
    FILES = "working files"


class Seen(NamedTuple):
    """One layer compared with a pin.

    Attributes:
        layer: which one.
        tree: id of the tree it holds; empty when it was not computed.
        differences: the differences from the pinned tree.
        wanted: rows of the pinned tree, when they were needed and found.
        unlisted: the trees differ, and nothing at hand says in which files.
        note: something to say about the layer as a whole.
        rows: the entries the layer holds.
        digests: of the working files, the SHA-256 id of each by its path.
        obstacle: the obstacle at the working files' folder; then there are none.
    """

    layer: Layer
    tree: str = ""
    differences: tuple[TreeDifference, ...] = ()
    wanted: Rows | None = None
    unlisted: bool = False
    note: str = ""
    rows: tuple[Row, ...] = ()
    digests: Mapping[bytes, str] = MappingProxyType({})
    blocked_path: BlockedPath | None = None


def compare(project: Project, declaration: Declaration, pin: Pin, layer: Layer, rows: Iterable[Row]) -> Seen:
    """Compare the rows of one layer with the pin's tree; the ids decide, rows are only listed when they differ."""
    listed = tuple(rows)
    found = tree_id((row for row in listed if row.oid), pin.object_format)
    if found == pin.final_tree and all(row.oid for row in listed):
        return Seen(layer, found, rows=listed)
    from ..source.pinned_rows import pinned_rows

    wanted = pinned_rows(project, declaration, pin)
    if wanted is None:
        return Seen(layer, found, unlisted=True, rows=listed)
    return Seen(layer, found, differences(wanted, Rows(listed)), wanted, rows=listed)


def see_files(
    project: Project, declaration: Declaration, pin: Pin, ask_ability: Callable[[], Ability] | None = None
) -> Seen:
    """Compare the working files, byte for byte; `ask_ability` is asked after them, where git works on that already."""
    found = blocked_path(project, declaration)
    if found is not None:
        return Seen(Layer.FILES, blocked_path=found)
    digests: dict[bytes, str] = {}
    rows = read_rows(project.root / declaration.path, pin.object_format, digests=digests)
    ability = ask_ability() if ask_ability else features_of(project)
    wanted = None
    if not ability.whole:
        from ..source.pinned_rows import pinned_rows

        wanted = pinned_rows(project, declaration, pin)
    if wanted is not None:
        rows = list(as_meant(rows, wanted, ability))
    seen = compare(project, declaration, pin, Layer.FILES, rows)._replace(digests=digests)
    if wanted is not None:
        seen = seen._replace(note=f"the file system cannot hold {ability.lacking}; the index was compared for them")
    return seen


def without_absent(seen: Seen, skipped: Collection[bytes]) -> Seen:
    """Pass over files that are missing because a sparse checkout skips them."""
    if not skipped:
        return seen
    absent = set(skipped)
    kept = (one for one in seen.differences if one.change is not DifferenceKind.MISSING or one.path not in absent)
    return seen._replace(differences=tuple(kept))


def see_index(project: Project, declaration: Declaration, pin: Pin, stored: StoredLayers, files: Seen) -> Seen:
    """Compare the index with the lock in the index.

    Where the working files make the tree of that lock and the index holds the same, nothing is hashed again.
    """
    held, listed = stored.pin_in_index, stored.listed
    if held is None:
        return Seen(Layer.INDEX, note=f"{project.lock} is not in the index")
    top = declaration.path.encode() + b"/"
    if files.tree == held.final_tree and staged_listing(files.rows, top) == listed:
        seen = Seen(Layer.INDEX, files.tree, rows=files.rows)
    else:
        rows = parse_staged(listed, top)
        if [(row.path, row.mode) for row in rows] == [(top[:-1], SUBMODULE)]:
            return Seen(Layer.INDEX, blocked_path=_submodule(declaration))
        if len({row.path for row in rows}) != len(rows):
            return Seen(Layer.INDEX, note="the index holds an unfinished merge")
        seen = compare(project, declaration, held, Layer.INDEX, rows)
    return seen if held == pin else seen._replace(note=_other(held, pin))


def see_last_commit(project: Project, declaration: Declaration, pin: Pin, stored: StoredLayers) -> Seen:
    """Compare the last commit with the lock in it."""
    held = stored.pin_in_commit
    if held is not None and stored.tree_in_commit == held.final_tree:
        seen = Seen(Layer.COMMIT, held.final_tree)
        return seen if held == pin else seen._replace(note=_other(held, pin))
    return see_commit(project, declaration, pin)  # what it holds is asked for again, whole


def see_commit(project: Project, declaration: Declaration, pin: Pin, revision: str = "HEAD") -> Seen:
    """Compare a commit, by default the last, with the lock in that commit."""
    held = held_pin(project, f"{revision}:{project.prefix}{project.lock}")
    if held is None:
        return Seen(Layer.COMMIT, note=f"{project.lock} is not committed")
    name = f"{revision}:{project.prefix}{declaration.path}"
    known = project.git.run("rev-parse", "--verify", "--quiet", "--end-of-options", name, check=False)
    if known.status == 0 and known.text == held.final_tree:
        seen = Seen(Layer.COMMIT, known.text)
    else:
        if known.status == 0 and _is_submodule(project, declaration, revision):
            return Seen(Layer.COMMIT, blocked_path=_submodule(declaration))
        rows = read_tree_rows(project.git, known.text) if known.status == 0 else []
        seen = compare(project, declaration, held, Layer.COMMIT, rows or [])
    return seen if held == pin else seen._replace(note=_other(held, pin))


def _submodule(declaration: Declaration) -> BlockedPath:
    return BlockedPath(declaration.path, "submodule", above=False)


def _is_submodule(project: Project, declaration: Declaration, revision: str) -> bool:
    listed = project.git.run("ls-tree", "-z", revision, "--", declaration.path).stdout
    return listed.startswith(b"%o " % SUBMODULE)


def _other(held: Pin, pin: Pin) -> str:
    return f"still holds {held.name}, the lock file {pin.name}" if held.name != pin.name else "holds another lock"


def held_pin(project: Project, name: str) -> Pin | None:
    """The pin of the lock git knows by `name` (`HEAD:mirror/upstream.lock`), or None when there is no such file."""
    output = project.git.run("cat-file", "blob", name, check=False)
    if output.status != 0:
        return None
    return parse_pin(output.stdout.decode("utf-8", "replace"), name)
