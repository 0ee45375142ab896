"""The patches as a gate of their own: listed, readable, and the ones the mirror was made with."""

from __future__ import annotations

from ..declaration.declaration import read_declaration
from ..findings import Check, Report
from ..lockfile.missing_lock import missing_lock
from ..lockfile.pin import read_pin
from ..mirror.tree.attributes.settings import patch_conversions
from ..mirror.verify.lock_check import patch_findings
from ..project import Project
from ..series.series import read_series
from ..text import counted
from .staleness import offline_findings


def check_patches(project: Project) -> Report:
    """Compare the patch files with the lock, and with fresh exports of their effect on the mirrored tree.

    That they lead from the pinned commit to the mirrored tree is `mirror verify --prove`.

    Raises:
        ToolError: nothing was mirrored yet.
    """
    declaration = read_declaration(project)
    pin = read_pin(project)
    if pin is None:
        raise missing_lock(project, declaration)
    count = counted(len(declaration.patches), "patch", "patches")
    compared = f"{count} of {declaration.patch_folder} compared with the lock"
    findings = list(patch_findings(project, declaration, pin))
    stale = None if findings else offline_findings(project, declaration, pin, read_series(project, declaration))
    converted = patch_conversions(project, declaration) if declaration.patches else ()
    aside = "" if stale is None else " and with what they are written as"
    return Report.of("patches", [Check("patches", compared + aside)], [*findings, *(stale or ()), *converted])
