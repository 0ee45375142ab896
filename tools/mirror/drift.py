"""What the layers showed, as findings: one for each path, however many layers show it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..errors import ToolError
from ..findings import Finding
from ..objects import FILE, PROGRAM
from ..project import Project
from ..tree import Change, Difference, Rows
from ..worktree import read_rows
from .declaration import Declaration
from .layers import Layer, Seen, see_files
from .pin import Pin

REPAIR = "python -m tools mirror sync --discard"

_CODES: Mapping[Change, str] = {
    Change.MODIFIED: "MIR001",
    Change.ADDED: "MIR002",
    Change.MISSING: "MIR003",
    Change.MODE: "MIR004",
    Change.TYPE: "MIR005",
}
_TEXTS: Mapping[Change, str] = {
    Change.MODIFIED: "is not the pinned file",
    Change.ADDED: "is not in the pinned tree",
    Change.MISSING: "is missing",
    Change.MODE: "has the wrong mode",
    Change.TYPE: "is not what the pinned tree has there",
}


def worktree_findings(project: Project, declaration: Declaration, pin: Pin | None) -> list[Finding]:
    """What the working files differ in; without a pin every file there is a finding.

    Raises:
        ToolError: the files cannot be read.
    """
    if pin is not None:
        return list(drift(project, declaration, [see_files(project, declaration, pin)]))
    rows = read_rows(project.root / declaration.path, names_only=True)
    added = tuple(Difference(row.path, Change.ADDED) for row in rows)
    return list(drift(project, declaration, [Seen(Layer.FILES, differences=added)]))


def drift(project: Project, declaration: Declaration, seen: Sequence[Seen]) -> Iterator[Finding]:
    """Yield a finding for each path that differs in any layer, and one for each layer whose files nobody can name."""
    top = declaration.path.encode()
    by_path: dict[bytes, list[tuple[Layer, Difference]]] = {}
    for one in seen:
        if one.unlisted:
            text = (
                f"the {one.layer} hold tree {one.tree[:12]}, not the pinned one; nothing at hand lists the pinned files"
            )
            yield Finding("MIR012", top, text, REPAIR)
        for difference in one.differences:
            by_path.setdefault(difference.path, []).append((one.layer, difference))
    codes = _codes_of_files(project, declaration, seen, by_path)
    for path, shown in by_path.items():
        change, detail = shown[0][1].change, shown[0][1].detail
        code = codes.get(path, _CODES[change])
        layers = ", ".join(layer for layer, _ in shown)
        aside = f" ({detail})" if detail else ""
        fix = "delete it" if code in ("MIR006", "MIR010") else REPAIR
        yield Finding(code, top + b"/" + path, f"{_TEXTS[change]}{aside} [{layers}]", fix)


def _codes_of_files(
    project: Project,
    declaration: Declaration,
    seen: Sequence[Seen],
    by_path: Mapping[bytes, Sequence[tuple[Layer, Difference]]],
) -> dict[bytes, str]:
    """Finer codes for what only the working files show: untracked, ignored, line endings."""
    only = {path: shown[0][1] for path, shown in by_path.items() if [layer for layer, _ in shown] == [Layer.FILES]}
    added = [path for path, difference in only.items() if difference.change is Change.ADDED]
    modified = [path for path, difference in only.items() if difference.change is Change.MODIFIED]
    wanted = next((one.wanted for one in seen if one.layer is Layer.FILES and one.wanted), None)
    codes = dict.fromkeys(added, "MIR006")
    codes.update(dict.fromkeys(_ignored(project, declaration, added), "MIR010"))
    codes.update(dict.fromkeys(_normalised(project, declaration, wanted, modified), "MIR007"))
    return codes


def _ignored(project: Project, declaration: Declaration, paths: Sequence[bytes]) -> Iterable[bytes]:
    """Which of these paths git ignores, by the ignore files of the project and of the mirrored tree."""
    if not paths or project.prefix is None:
        return ()
    top = declaration.path.encode() + b"/"
    asked = b"".join(top + path + b"\0" for path in paths)
    literal = {"GIT_LITERAL_PATHSPECS": "0"}  # the command refuses it; no path here begins with pathspec magic
    output = project.git.run("check-ignore", "-z", "--stdin", stdin=asked, check=False, environment=literal)
    if output.status not in (0, 1):
        raise ToolError(f"git check-ignore failed: {output.complaint}")
    return [path.removeprefix(top) for path in output.stdout.split(b"\0")[:-1]]


def _normalised(
    project: Project, declaration: Declaration, wanted: Rows | None, paths: Sequence[bytes]
) -> Iterable[bytes]:
    """Which of these working files git would store as the pinned blob, by the attributes of the tree itself."""
    asked = [
        path
        for path in paths
        if b"\n" not in path and wanted is not None and wanted.by_path[path].mode in (FILE, PROGRAM)
    ]
    if not asked or wanted is None or project.prefix is None:
        return ()
    top = declaration.path.encode() + b"/"
    names = b"".join(top + path + b"\n" for path in asked)
    stored = project.git.run("hash-object", "--stdin-paths", stdin=names).text.splitlines()
    return [path for path, oid in zip(asked, stored, strict=True) if oid == wanted.by_path[path].oid]
