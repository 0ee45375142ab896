"""The patches as a gate of their own: listed, readable, and the ones the mirror was made with."""

from __future__ import annotations

from ..findings import Check, Report
from ..mirror.agreement import patch_findings
from ..mirror.declaration import read_declaration
from ..mirror.lost import no_lock
from ..mirror.pin import read_pin
from ..project import Project
from ..wording import counted


def check_patches(project: Project) -> Report:
    """Compare the patch files with the lock; that they apply and lead to the mirrored tree is `mirror verify --prove`.

    Raises:
        ToolError: nothing was mirrored yet.
    """
    declaration = read_declaration(project)
    pin = read_pin(project)
    if pin is None:
        raise no_lock(project, declaration)
    summary = (
        f"{counted(len(declaration.patches), 'patch', 'patches')} of {declaration.patch_folder} compared with the lock"
    )
    return Report.of("patches", [Check("patches", summary)], patch_findings(project, declaration, pin))
