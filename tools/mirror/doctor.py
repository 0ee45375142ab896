"""The surroundings: git, settings and attributes of the project, the file system, leftovers of earlier commands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from ..files import DiskFiles
from ..findings import Check, Finding, Report
from ..project import Project
from .conversion import Conversion, line_ending_setting
from .declaration import Declaration, read_declaration
from .desk import Desk
from .flags import flag_findings, read_flags
from .pin import read_pin
from .wanted import wanted_rows
from .workroom import Workroom

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
        _attributes,
        _line_endings,
        _leftovers,
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
    """A finding when what `git version` says is older than the tools need."""
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


def _attributes(project: Project, declaration: Declaration) -> Iterator[Finding]:
    if project.prefix is None:
        return
    for path in (f"{declaration.patch_folder}/any.patch", f"{declaration.path}/any-file"):
        literal = {"GIT_LITERAL_PATHSPECS": "0"}
        command = ("check-attr", "-z", "text", "--", path)
        value = project.git.run(*command, environment=literal).text.split("\0")[2]
        if value not in ("unset", "unspecified"):
            folder = path.rpartition("/")[0]
            pattern = f"{folder}/*.patch -text" if path.endswith(".patch") else f"{folder}/** -text"
            text = f"files of {folder} are text to git ({value}): line endings may change on checkout"
            yield Finding("ENV003", b".gitattributes", text, f"add `{pattern}` to .gitattributes")


def _line_endings(project: Project, declaration: Declaration) -> Iterator[Finding]:
    value = line_ending_setting(project) if project.prefix is not None else ""
    if value:
        text = (
            f"git is told to change line endings of every file (core.autocrlf is {value}), mirror and patches included"
        )
        yield Finding("ENV007", declaration.path.encode(), text, "git config core.autocrlf false")


def _leftovers(project: Project, declaration: Declaration) -> Iterator[Finding]:
    desk = Desk(project, declaration, DiskFiles())
    room = Workroom(project, declaration, DiskFiles())
    paused = desk.paused()
    if room.exists:
        text = "an interrupted synchronisation waits to be settled, or one is at work"
        yield Finding("ENV004", _shown(project, room.folder), text, "python -m tools mirror verify")
    if paused is not None:
        text = f"a synchronisation to {paused.wanted} is paused at {paused.patch}"
        yield Finding(
            "ENV004", _shown(project, desk.folder), text, "python -m tools mirror sync --continue, or --abort"
        )
    for name in desk.edits():
        fix = "python -m tools patch refresh, or delete the folder"
        yield Finding("ENV004", _shown(project, desk.edit(name)), f"{name} is being edited", fix)


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
    rows = wanted_rows(project, declaration, pin) if pin is not None else None
    if rows is None:
        return
    for path in Conversion(project, declaration).never_clean(rows):
        text = "git status shows it as changed although it is not: it breaks the upstream's own attributes"
        yield Finding("ENV006", declaration.path.encode() + b"/" + path, text, "tell the upstream to normalise it")
