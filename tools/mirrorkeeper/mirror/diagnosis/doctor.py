"""The surroundings: git, settings and attributes of the project, the file system, leftovers of earlier commands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from ...declaration.declaration import Declaration, read_declaration
from ...errors import ToolError
from ...findings import Check, Finding, Report
from ...lockfile.pin import read_pin
from ...project import Project
from ...system.files import DiskFiles
from ...text import shell_path
from ...tool_name import TOOL
from ..source.pinned_rows import pinned_rows
from ..tree.attributes.checkout import checkout_findings
from ..tree.attributes.settings import attribute_findings, conversion_findings
from ..tree.conversion import Conversion
from ..tree.empty_folders import empty_folders
from ..tree.flags import flag_findings, read_flags
from ..tree.staging import index_lock
from ..workspace.edit_workspace import EditWorkspace
from ..workspace.refresh_journal import interrupted_line
from ..workspace.transaction import Transaction

OLDEST_GIT = (2, 32)
_VERSION = re.compile(r"(\d+)\.(\d+)")


def doctor(project: Project) -> Report:
    """Look at everything around the mirror that could mislead git or a person; nothing is changed.

    Raises:
        ToolError: the declaration cannot be read, or git is not there.
    """
    declaration = read_declaration(project)
    looks: tuple[Callable[[Project, Declaration], Iterator[Finding]], ...] = (
        _filters,
        attribute_findings,
        checkout_findings,
        conversion_findings,
        _leftovers,
        _empty,
        _file_system,
        _never_clean,
    )
    version = project.git.run("version").text
    findings = list(version_findings(version))
    for look in looks:
        findings.extend(look(project, declaration))
    findings.extend(flag_findings(declaration, read_flags(project, declaration)))
    return Report.of("mirror doctor", [Check("surroundings", f"{version}, {project.root}")], findings)


def version_findings(version: str) -> Iterator[Finding]:
    """Find a git that is older than the tools need."""
    match = _VERSION.search(version)
    if match is None or (int(match[1]), int(match[2])) < OLDEST_GIT:
        oldest = ".".join(str(part) for part in OLDEST_GIT)
        yield Finding("ENV001", b".", f"{version} is older than {oldest}", f"install git {oldest} or newer")


def _filters(project: Project, declaration: Declaration) -> Iterator[Finding]:
    listed = project.git.run("config", "--get-regexp", r"^filter\..*\.(clean|process|smudge)$", check=False)
    for line in listed.text.splitlines():
        name = line.partition(" ")[0]
        text = f"the repository sets {name}: a checkout may change bytes, and verify reads every file each time"
        yield Finding("ENV002", declaration.path.encode(), text, f"git config --unset-all {name}")


def _leftovers(project: Project, declaration: Declaration) -> Iterator[Finding]:
    workspace = EditWorkspace(project, declaration, DiskFiles())
    transaction = Transaction(project, declaration, DiskFiles())
    if transaction.exists:
        yield Finding("ENV004", _shown(project, transaction.folder), *_unsettled(transaction))
    line = interrupted_line(project, declaration)
    if line:
        fix = f"{TOOL} mirror sync --continue, or --abort"
        yield Finding("ENV004", _shown(project, workspace.refreshing), line, fix)
    try:
        paused = workspace.paused()
    except ToolError as error:
        yield Finding(
            "ENV004",
            _shown(project, workspace.record),
            "the record of the paused synchronization is damaged",
            error.advice,
        )
    else:
        if paused is not None:
            text = f"a synchronization to {paused.wanted} is paused at {paused.patch}"
            fix = f"{TOOL} mirror sync --continue, or --abort"
            yield Finding("ENV004", _shown(project, workspace.folder), text, fix)
    for name in workspace.edits():
        fix = f"{TOOL} patch refresh, or delete the folder"
        yield Finding("ENV004", _shown(project, workspace.edit(name)), f"{name} is being edited", fix)
    lock = index_lock(project) if project.prefix is not None else None
    if lock is not None and lock.exists():
        text = "the index of git is locked: a git command is at work, or was killed"
        yield Finding(
            "ENV004", b".git/index.lock", text, f"when no git command is at work: rm {shell_path(bytes(lock))}"
        )


def _unsettled(transaction: Transaction) -> tuple[str, str]:
    """Find leftovers of an interrupted command, with the way to settle them."""
    try:
        transaction.pending()
    except ToolError as error:
        return "an interrupted synchronization cannot be settled: its journal is damaged", error.advice
    return "an interrupted synchronization waits to be settled, or one is at work", f"{TOOL} mirror verify"


def _empty(project: Project, declaration: Declaration) -> Iterator[Finding]:
    for folder in empty_folders(project, declaration):
        yield Finding(
            "ENV008",
            folder,
            "is empty, and git keeps no empty folders",
            f"find {shell_path(folder)} -type d -empty -delete",
        )


def _shown(project: Project, folder: Path) -> bytes:
    return folder.relative_to(project.root).as_posix().encode()


def _file_system(project: Project, declaration: Declaration) -> Iterator[Finding]:
    if project.prefix is None:
        return
    for name, wrong, lacks in (
        ("core.fileMode", "false", "executable files"),
        ("core.symlinks", "false", "symbolic links"),
        ("core.ignoreCase", "true", "names that differ in case only"),
    ):
        value = project.git.run("config", "--type=bool", "--get", name, check=False)
        if value.text == wrong:
            text = f"git found that the file system cannot hold {lacks} ({name} is {wrong})"
            yield Finding("ENV005", declaration.path.encode(), text, "keep the project on another file system")


def _never_clean(project: Project, declaration: Declaration) -> Iterator[Finding]:
    pin = read_pin(project)
    rows = pinned_rows(project, declaration, pin) if pin is not None else None
    if rows is None:
        return
    for path in Conversion(project, declaration).never_clean(rows):
        text = "git status shows it as changed although it is not: it breaks the upstream's own attributes"
        yield Finding("ENV006", declaration.path.encode() + b"/" + path, text, "ask the upstream to normalize it")
