"""One commit of the project, judged by the lock and the declaration it holds itself; nothing else plays a part."""

from __future__ import annotations

import shlex

from ...declaration.declaration import parse_declaration
from ...errors import ToolError
from ...findings import Check, Finding, Report
from ...lockfile.lock_self_check import contradictions
from ...project import Project
from ...tool_name import TOOL
from ..tree.attributes.checkout import checkout_findings
from .drift import drift
from .layers import held_pin, see_commit
from .lock_check import SYNC
from .lost_objects import lost


def verify_revision(project: Project, revision: str) -> Report:
    """Verify one commit.

    Raises:
        ToolError: there is no such commit, or it holds no lock or declaration.
    """
    if project.prefix is None:
        raise ToolError(f"{project.root} is not in a git repository", "leave --rev out")
    name = f"{revision}^{{commit}}"
    known = project.git.run("rev-parse", "--verify", "--quiet", "--end-of-options", name, check=False)
    if known.status != 0:
        raise ToolError(f"there is no commit {revision!r}", "name a branch, a tag or the id of a commit")
    pin = held_pin(project, f"{known.text}:{project.prefix}{project.lock}")
    declared = f"{known.text}:{project.prefix}{project.declaration}"
    text = project.git.run("cat-file", "blob", declared, check=False)
    if pin is None or text.status != 0:
        missing = project.lock if pin is None else project.declaration
        raise ToolError(f"{revision} holds no {missing}", "name a commit since the first synchronization")
    # The mirror may have been somewhere else then.
    declaration = parse_declaration(project, text.stdout.decode("utf-8", "replace"), declared)
    findings = [Finding("PIN001", project.lock.encode(), text, SYNC) for text in contradictions(pin)]
    findings.extend(checkout_findings(project, declaration, known.text))
    seen = see_commit(project, declaration, pin, known.text)
    findings.extend(drift(project, declaration, [seen]))
    if seen.tree and project.git.run("cat-file", "-e", seen.tree, check=False).status != 0:
        raise lost(project, [f"{declaration.path} of {known.text[:12]} ({seen.tree[:12]})"])
    summary = f"{declaration.path} of {known.text[:12]} at {pin.name}, tree {pin.final_tree[:12]}: compared"
    return Report.of("mirror verify", [Check("mirror check", summary)], findings)


def no_commit_alone(asked: str, revision: str) -> ToolError:
    """Return the answer to a switch that reads working files, which a commit does not have."""
    return ToolError(
        f"{asked} reads working files, and --rev judges a commit by the ids it holds",
        f"git worktree add --detach ../judged {shlex.quote(revision)}, then {TOOL} -C ../judged mirror verify {asked}",
    )
