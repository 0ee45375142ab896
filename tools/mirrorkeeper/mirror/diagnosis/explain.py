"""Meaning of a code, or all facts about one path of the mirror."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from difflib import get_close_matches

from ...declaration.declaration import Declaration, read_declaration
from ...errors import ToolError
from ...findings import CODES, Severity
from ...lockfile.missing_lock import missing_lock
from ...lockfile.pin import Pin, read_pin
from ...project import Project
from ...text import shown_path
from ...tool_name import TOOL
from ..source.pinned_rows import pinned_rows
from ..verify.verify import VerifyOptions, verify

_CODE = re.compile(r"[A-Z]{3}\d{3}")
_ADVICE = {
    "MIR": "The mirror is machine-written: take a change to the upstream, or declare it as a patch "
    f"(`{TOOL} patch new NAME --from-mirror --why REASON --drop-when CONDITION`); "
    f"`{TOOL} mirror sync --discard` restores the pinned files.",
    "PIN": f"The lock is written by `{TOOL} mirror sync`; `{TOOL} mirror outdated` looks upstream.",
    "PAT": f"`{TOOL} patch list` shows the series, `patch refresh` makes it anew, `patch edit NAME` opens one.",
    "GEN": f"`{TOOL} entry` writes the entry; its anchors stand in upstream.toml.",
    "ENV": f"`{TOOL} mirror doctor` looks at the surroundings again.",
}


def explain(project: Project, what: str) -> Iterator[str]:
    """Yield lines about a code (`MIR001`) or a path, relative to the project or to the mirrored folder.

    Raises:
        ToolError: it is neither a code nor a path anything is known about.
    """
    code = CODES.get(what.upper())
    if code is not None:
        fails = "fails the check" if code.severity is Severity.ERROR else "a note; fails with --strict"
        yield f"{code.code} {code.title} ({fails})"
        yield code.meaning
        if code.code[:3] in _ADVICE:
            yield _ADVICE[code.code[:3]]
        return
    if _CODE.fullmatch(what.upper()):
        raise _unknown(what, "the codes stand in docs/findings.md")
    declaration, pin = read_declaration(project), read_pin(project)
    if pin is None:
        raise missing_lock(project, declaration)
    path = what.removeprefix("./").removeprefix(declaration.path + "/")
    lines = list(_about_path(project, declaration, pin, path))
    if not lines:
        raise _unknown(what, f"name a code, or a path below {declaration.path}")
    yield from lines


def _unknown(what: str, advice: str) -> ToolError:
    near = get_close_matches(what.upper(), CODES, n=1, cutoff=0.4)
    return ToolError(f"nothing is known about {what!r}", f"did you mean {near[0]}?" if near else advice)


def _about_path(project: Project, declaration: Declaration, pin: Pin, path: str) -> Iterator[str]:
    rows = pinned_rows(project, declaration, pin)
    by_path = rows.by_path if rows else {}
    top = declaration.path.encode() + b"/"
    outside = os.fsencode(f"{pin.subfolder}/") if pin.subfolder else b""
    findings = verify(project, VerifyOptions(hashed=True)).findings
    known = [
        *by_path,
        *(path for patch in pin.patches for path in patch.paths),
        *(row.path.removeprefix(outside) for row in pin.excluded),
    ]
    known.extend(one.path.removeprefix(top) for one in findings)
    # A name as it is shown is understood as well; the one that is really so comes first.
    given = os.fsencode(path)
    raw = given if given in known else next((one for one in known if shown_path(one) == path), given)
    if raw in by_path:
        row = by_path[raw]
        yield f"{shown_path(raw)}: mirrored from {pin.name}, mode {row.mode:o}, blob {row.oid}"
    for out in pin.excluded:
        left = out.path.removeprefix(outside)
        if raw == left or raw.startswith(left + b"/"):
            said = f"not mirrored, {project.declaration} leaves it out; the lock accounts for it as {out.oid}"
            yield f"{shown_path(raw)}: {said}"
    for patch in pin.patches:
        if raw in patch.paths:
            yield f"changed by {declaration.patch_folder}/{patch.name} ({TOOL} patch show {patch.name})"
    for finding in findings:
        if finding.path == top + raw:
            yield f"{finding.code} {CODES[finding.code].title}: {finding.message}"
            yield f"help: {finding.fix}"
