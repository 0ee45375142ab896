"""What the layers showed, as findings: one for each path, however many layers show it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..errors import ToolError
from ..findings import Finding
from ..git import Git
from ..objects import FILE, PROGRAM
from ..project import Project
from ..tree import Change, Difference, Rows
from .declaration import Declaration
from .layers import Layer, Seen

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
    codes.update(dict.fromkeys(ignored_paths(project, declaration, added), "MIR010"))
    codes.update(dict.fromkeys(_normalised(project, declaration, wanted, modified), "MIR007"))
    return codes


def ignored_paths(project: Project, declaration: Declaration, paths: Sequence[bytes]) -> Iterable[bytes]:
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


def normal_form(project: Project, declaration: Declaration, rows: Rows) -> list[bytes]:
    """Which of the pinned files git would not store as they are, by the attributes of the mirrored tree itself."""
    top = project.root / declaration.path
    asked = [
        path
        for path, row in rows.by_path.items()
        if row.mode in (FILE, PROGRAM) and b"\n" not in path and os.path.lexists(os.fsencode(top) + b"/" + path)
    ]
    if not asked or project.prefix is None:
        return []
    plain = _hashed(project, declaration, asked, "--no-filters")
    stored = _hashed(project, declaration, asked)
    triples = zip(asked, plain, stored, strict=True)
    return [path for path, own, other in triples if own == rows.by_path[path].oid != other]


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
    stored = _hashed(project, declaration, asked)
    return [path for path, oid in zip(asked, stored, strict=True) if oid == wanted.by_path[path].oid]


def _hashed(project: Project, declaration: Declaration, paths: Iterable[bytes], *options: str) -> list[str]:
    """What git would store each of these files as. It takes a list of names from the top of the repository only."""
    top = os.fsencode(project.prefix or "") + declaration.path.encode() + b"/"
    names = b"".join(top + path + b"\n" for path in paths)
    return Git(project.top).run("hash-object", *options, "--stdin-paths", stdin=names).text.splitlines()
