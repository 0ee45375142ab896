"""The tree a synchronization would put in place: fetched, validated, patched, all in a temporary repository."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...declaration.declaration import Declaration
from ...errors import ToolError
from ...git.command import Git, with_index
from ...git.objects import LINK, SUBMODULE, TREE, Row
from ...lockfile.pin import Pin, PinnedPatch
from ...series.document import PatchDocument
from ...series.paths import refuse_paths
from ...series.series import PatchedTree
from ..tree.listing import RawEntry, index_rows, leaf_rows, read_entries, read_objects, read_tree_rows, row_of, sizes_of
from ..tree.validation import problems
from .source import Target
from .subfolder import below, cut_out

_SHOWN = 10
_REFUSED = (
    "nothing was changed; report it upstream, or exclude the path (links and names may also be put into [accepted])"
)


@dataclass(frozen=True)
class NextTree:
    """A complete tree: its pin, its rows, and git on the repository that holds its objects."""

    pin: Pin
    rows: tuple[Row, ...]
    repository: Git


def build_candidate(
    repository: Git, target: Target, declaration: Declaration, series: Sequence[PatchDocument], object_format: str
) -> NextTree:
    """Build the candidate for `target` in `repository`.

    Raises:
        ToolError: the tree is hostile or cannot be mirrored.
        Paused: a patch does not apply.
    """
    base, excluded = base_of(repository, target, declaration, object_format)
    refuse_paths(repository, series, declaration)
    patched = PatchedTree(repository, repository.folder, base)
    pinned = [patched.apply(patch, position=f"{at}/{len(series)} ") for at, patch in enumerate(series, 1)]
    if pinned:
        _refuse_hostile_patches(repository, pinned, declaration, object_format)
    pin = Pin(
        object_format=object_format,
        url=declaration.url,
        tag=target.tag,
        commit=target.commit,
        root_tree=target.root_tree,
        base_tree=base,
        final_tree=patched.tree,
        excluded=tuple(excluded),
        commit_object=target.commit_object,
        tag_object=target.tag_object,
        patches=tuple(pinned),
        subfolder=declaration.subfolder,
    )
    return NextTree(pin, tuple(read_tree_rows(repository, patched.tree) or ()), repository)


def base_of(repository: Git, target: Target, declaration: Declaration, object_format: str) -> tuple[str, list[Row]]:
    """Check the upstream's tree; return the id of its mirrored part, before any patch, and the excluded entries.

    Raises:
        ToolError: the tree is hostile or cannot be mirrored.
    """
    top, beside = target.root_tree, list[RawEntry]()
    if declaration.subfolder:
        top, beside = cut_out(repository, target, declaration.subfolder, object_format)
    entries = read_entries(repository, top, object_format)
    _refuse_hostile(repository, target, beside, declaration._replace(exclude=("*",)))  # only their names matter
    _refuse_hostile(repository, target, entries, declaration)
    excluded = [*map(row_of, beside), *below(declaration.subfolder, excluded_rows(entries, declaration))]
    return _base_tree(repository, top, entries, declaration), sorted(excluded)


def excluded_rows(entries: Sequence[RawEntry], declaration: Declaration) -> list[Row]:
    """The entries that are left out, a whole folder as one row, sorted by path."""
    rows: list[Row] = []
    covered: set[bytes] = set()
    for entry in sorted(entries, key=lambda one: one.path):
        above = entry.folder.rstrip(b"/")
        if above in covered:
            covered.add(entry.path)
        elif declaration.excludes(entry.path, folder=int(entry.mode, 8) == TREE):
            rows.append(row_of(entry))
            covered.add(entry.path)
    return rows


def _refuse_hostile(repository: Git, target: Target, entries: list[RawEntry], declaration: Declaration) -> None:
    found = _problems(repository, entries, declaration)
    if found:
        raise ToolError(f"{target.name} is refused: {_listed(found)}", _REFUSED)


def _refuse_hostile_patches(
    repository: Git, pinned: Sequence[PinnedPatch], declaration: Declaration, object_format: str
) -> None:
    """Explain problems of the patched tree, which a patch brought in; name the first that did."""

    def problems_after(patch: PinnedPatch) -> list[str]:
        return _problems(repository, read_entries(repository, patch.tree_after, object_format), declaration)

    if not problems_after(pinned[-1]):
        return
    patch, found = next((patch, found) for patch in pinned if (found := problems_after(patch)))
    advice = (
        f"take that out of {declaration.patch_folder}/{patch.name} (links and names may also be put into [accepted])"
    )
    raise ToolError(f"the patch {patch.name} is refused: {_listed(found)}", advice)


def _problems(repository: Git, entries: list[RawEntry], declaration: Declaration) -> list[str]:
    leaves = leaf_rows(entries)
    links = [row for row in leaves if row.mode == LINK]
    texts = dict(zip((row.path for row in links), read_objects(repository, [row.oid for row in links]), strict=True))
    sizes = sizes_of(repository, [row.oid for row in leaves if row.mode not in (SUBMODULE, TREE)])
    return problems(entries, texts, sizes, declaration)


def _listed(found: Sequence[str]) -> str:
    return "; ".join(found[:_SHOWN]) + (f" (and {len(found) - _SHOWN} more)" if len(found) > _SHOWN else "")


def _base_tree(repository: Git, top: str, entries: Sequence[RawEntry], declaration: Declaration) -> str:
    kept = [row for row in leaf_rows(entries) if not declaration.excludes(row.path)]
    if len(kept) == len(leaf_rows(entries)):
        return top
    git = with_index(repository, repository.folder, repository.folder / "base-index")
    git.run("update-index", "-z", "--index-info", stdin=index_rows(kept))
    return git.run("write-tree").text
