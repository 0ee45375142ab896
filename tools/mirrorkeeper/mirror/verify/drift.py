"""Differences of the layers as findings: one for each path, however many layers show it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...declaration.declaration import Declaration
from ...errors import ToolError
from ...findings import Finding
from ...git.tree_diff import DifferenceKind, TreeDifference
from ...project import Project
from ...system.unchecked_cache import is_unchecked_cache
from ...tool_name import TOOL
from ..tree.compiled import is_compiled
from ..tree.special_entries import is_special
from .layers import Layer, Seen

SYNC = f"{TOOL} mirror sync"
REPAIR = f"{TOOL} mirror sync --discard"
KEEP = f"{REPAIR}; to keep the change: {TOOL} patch new NAME --from-mirror"

_CODES: Mapping[DifferenceKind, str] = {
    DifferenceKind.MODIFIED: "MIR001",
    DifferenceKind.ADDED: "MIR002",
    DifferenceKind.MISSING: "MIR003",
    DifferenceKind.MODE: "MIR004",
    DifferenceKind.TYPE: "MIR005",
}
_TEXTS: Mapping[DifferenceKind, str] = {
    DifferenceKind.MODIFIED: "is not the pinned file",
    DifferenceKind.ADDED: "is not in the pinned tree",
    DifferenceKind.MISSING: "is missing",
    DifferenceKind.MODE: "has the wrong mode",
    DifferenceKind.TYPE: "differs from the pinned tree in its kind",
}
_FIXES: Mapping[str, str] = {
    **dict.fromkeys(("MIR001", "MIR002", "MIR003", "MIR004", "MIR005"), KEEP),
    "MIR007": REPAIR,
    "MIR016": REPAIR,
    "MIR006": f"delete it; to keep it: {TOOL} patch new NAME --from-mirror",
    "MIR010": "delete it",
    "MIR017": "delete it, or name it below [accepted] compiled",
}
_REFINED: Mapping[str, str] = {
    "MIR017": "is ignored by git and not in the pinned tree, and a compiler or an import takes it",
    "MIR007": "is the pinned file as git checks it out here, by attributes or settings",
    "MIR016": "is the large file that the pinned pointer stands for",
}


def drift(project: Project, declaration: Declaration, seen: Sequence[Seen]) -> Iterator[Finding]:
    """Yield a finding for each path that differs in any layer, and one for each layer whose files cannot be listed."""
    top = declaration.path.encode()
    by_path: dict[bytes, list[tuple[Layer, TreeDifference]]] = {}
    for one in seen:
        if one.unlisted:
            text = (
                f"the {one.layer} hold tree {one.tree[:12]}, not the pinned one; nothing at hand lists the pinned files"
            )
            yield Finding("MIR012", top, text, REPAIR)
        if one.blocked_path is not None:
            fix = "put the folder itself in its place" if one.blocked_path.above else REPAIR
            yield Finding("MIR005", one.blocked_path.path.encode(), f"{one.blocked_path.text} [{one.layer}]", fix)
        for difference in one.differences:
            by_path.setdefault(difference.path, []).append((one.layer, difference))
    codes = _codes_of_files(project, declaration, seen, by_path)
    converting = _upstream_rules(project, top, seen, [path for path, code in codes.items() if code == "MIR007"])
    for path, shown in by_path.items():
        change, detail = shown[0][1].change, shown[0][1].detail
        code = codes.get(path, _CODES[change])
        layers = ", ".join(layer for layer, _ in shown)
        aside = f" ({detail})" if detail else ""
        fix = _FIXES.get(code, REPAIR)
        text = _REFINED.get(code, _TEXTS[change])
        if path in converting:
            rule = converting[path]
            text = f"{text}, by the upstream's own {rule}"
            fix = f"none is needed; for the pinned bytes in every clone, name {rule} in `exclude`, then {SYNC}"
        yield Finding(code, top + b"/" + path, f"{text}{aside} [{layers}]", fix)


def _upstream_rules(project: Project, top: bytes, seen: Sequence[Seen], paths: Sequence[bytes]) -> Mapping[bytes, str]:
    """Return the attribute file of the upstream for each of these paths that one converts."""
    wanted = next((one.wanted for one in seen if one.layer is Layer.FILES and one.wanted), None)
    if not paths or wanted is None:
        return {}
    from ..tree.attributes.upstream_rules import converting_files

    return converting_files(project, top + b"/", list(wanted.by_path), paths)


def _codes_of_files(
    project: Project,
    declaration: Declaration,
    seen: Sequence[Seen],
    by_path: Mapping[bytes, Sequence[tuple[Layer, TreeDifference]]],
) -> dict[bytes, str]:
    """Refine the codes for differences of the working files alone: untracked, ignored, converted by git."""
    only = {path: shown[0][1] for path, shown in by_path.items() if [layer for layer, _ in shown] == [Layer.FILES]}
    added = [path for path, difference in only.items() if difference.change is DifferenceKind.ADDED]
    # One whose mode changed as well has a detail that says so; that is no conversion.
    modified = [path for path, one in only.items() if one.change is DifferenceKind.MODIFIED and not one.detail]
    wanted = next((one.wanted for one in seen if one.layer is Layer.FILES and one.wanted), None)
    codes = dict.fromkeys(added, "MIR006")
    for path in ignored_paths(project, declaration, added):
        if path.rpartition(b"/")[2] == b".gitattributes":  # it converts mirrored files at every checkout
            continue
        place = project.root / declaration.path / path.decode("utf-8", "surrogateescape")
        if is_special(place):
            continue
        taken = is_compiled(path) or is_unchecked_cache(place)
        codes[path] = "MIR017" if taken and not declaration.accepted.compiled_file(path) else "MIR010"
    if modified and wanted is not None:
        from ..tree.conversion import Conversion

        codes.update(Conversion(project, declaration).codes(wanted, modified))
    return codes


def ignored_paths(project: Project, declaration: Declaration, paths: Sequence[bytes]) -> Iterable[bytes]:
    """Return the ignored ones of these paths, by the ignore files of the project and of the mirrored tree."""
    if not paths or project.prefix is None:
        return ()
    top = declaration.path.encode() + b"/"
    asked = b"".join(top + path + b"\0" for path in paths)
    literal = {"GIT_LITERAL_PATHSPECS": "0"}  # the command refuses it; no path here begins with pathspec magic
    command = ("check-ignore", "-z", "--stdin")
    output = project.git.run(*command, stdin=asked, check=False, environment=literal)
    if output.status not in (0, 1):  # git refuses paths in a submodule, unless it does not look into the index
        output = project.git.run(*command, "--no-index", stdin=asked, check=False, environment=literal)
    if output.status not in (0, 1):
        raise ToolError(f"git check-ignore failed: {output.complaint}")
    return [path.removeprefix(top) for path in output.stdout.split(b"\0")[:-1]]
