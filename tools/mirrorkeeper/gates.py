"""All gates in one report and one exit status."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import TypeVar

from .declaration.declaration import Declaration, read_declaration
from .errors import NotDeclaredError, ToolError
from .findings import Check, Finding, Report
from .mirror.source.fetched_bundles import FetchedBundles
from .modules import UnreadError
from .project import Project
from .system.unexpected import cause_of, report_with, show_traceback
from .text import shown_path
from .tool_name import TOOL

PASSED_OVER = "passed over"
T = TypeVar("T")
Finish = Callable[[], Report]
"""Waits for a gate that was started and gives its report."""


def _mirror(project: Project, fetched: FetchedBundles) -> Finish:
    from .mirror.verify.verify import VerifyOptions, verify

    return lambda: verify(project, VerifyOptions(prove=True), fetched)


def _origin(project: Project, fetched: FetchedBundles) -> Finish:
    from .mirror.verify.releases.origin import check_origin

    return lambda: check_origin(project, fetched=fetched)


def _patches(project: Project, _: FetchedBundles) -> Finish:
    from .patch.check import check_patches

    return lambda: check_patches(project)


def _entry(project: Project, _: FetchedBundles) -> Finish:
    from .entry.generator import check_entry

    return lambda: check_entry(project)


def _boundary(project: Project, _: FetchedBundles) -> Finish:
    from .boundary.languages import boundary_of

    return boundary_of(project).report


def _contract(project: Project, _: FetchedBundles) -> Finish:
    from .contract.check import Contract

    return Contract(project).report


@dataclass(frozen=True)
class Gate:
    """One gate: its purpose, in a line, and the function that starts it."""

    purpose: str
    start: Callable[[Project, FetchedBundles], Finish]


GATES: Mapping[str, Gate] = {
    "mirror": Gate("the mirrored tree is consistent with the pinned commit, minus the patches", _mirror),
    "origin": Gate("the declared upstream has the pinned tag and commit", _origin),
    "patches": Gate("the patches are listed, and those the mirror was made with", _patches),
    "entry": Gate("the generated entry is up to date", _entry),
    "boundary": Gate("only its importers import the mirrored package, by names that are listed", _boundary),
    "contract": Gate("endpoints and configuration keys that are relied on are there", _contract),
}


READING = ("entry", "boundary")
"""Run the gates that only read: nothing of a release that was just fetched is executed."""


def run_reading(project: Project) -> Report:
    """Run the gates that only read and that the project declares something for."""
    return run_gates(project, READING, asked=False)


def projects_of(project: Project) -> tuple[Project, ...]:
    """Return the project, and the same folder with each declaration that its own names in `others` and that is valid.

    Those whose folders overlap are left out.

    Raises:
        ToolError: its own cannot be read.
    """
    return _mirrors(project)[0]


def _mirrors(project: Project) -> tuple[tuple[Project, ...], list[ToolError]]:
    """Return the projects, and the errors of the declarations that cannot be read, or whose folders overlap."""
    if project.broken is None:
        project.broken = {}
    declaration = read_declaration(project)
    found, unread = {project: declaration}, list[ToolError]()
    for name in declaration.others:
        try:
            one = project.beside(name)
            one.broken = {}
            found[one] = _without_others(read_declaration(one), name, project.declaration)
        except ToolError as error:
            unread.append(error)
    if len(found) == 1:
        return (project,), unread
    from .declaration.separate_folders import Declared, overlap

    apart = set(found)
    for first, second in combinations(found, 2):
        both = (Declared(one.declaration, found[one]) for one in (first, second))
        overlapping = overlap(project.root, *both)
        if overlapping is not None:
            unread.append(overlapping)
            apart -= {first, second}
    return tuple(one for one in found if one in apart), unread


def _without_others(read: Declaration, name: str, own: str) -> Declaration:
    if read.others:
        raise ToolError(f"{name} names `others` itself", f"name them all in {own}")
    return read


def run_all_gates(project: Project, selected: tuple[str, ...] = ()) -> Report:
    """Run the gates over all mirrors of the project; with several, each check names its declaration.

    A gate that was selected has to be declared for one of them. A declaration that cannot be read, a table of one
    that is wrong, and two whose folders overlap keep only their own gates from running.
    """
    projects, unread = _mirrors(project)
    if projects == (project,) and not unread:
        return run_gates(project, selected)
    reports = {one.declaration: run_gates(one, selected, asked=False) for one in projects}
    checks = [check._replace(name=f"{name}: {check.name}") for name, one in reports.items() for check in one.checks]
    findings = {finding for one in reports.values() for finding in one.findings}
    unchecked = tuple(f"{name}: {text}" for name, one in reports.items() for text in one.unchecked)
    unchecked += tuple(_with_advice(error) for error in unread)
    passed = {name for name in selected if reports and all(_passed_over(one, name) for one in reports.values())}
    unchecked += tuple(f"{name}: no declaration has a table for it" for name in sorted(passed))
    return Report.of("gates", checks, findings)._replace(unchecked=unchecked)


def _passed_over(report: Report, name: str) -> bool:
    return any(check.name == name and check.summary.startswith(PASSED_OVER) for check in report.checks)


def run_gates(project: Project, selected: tuple[str, ...] = (), *, asked: bool = True) -> Report:
    """Run every gate, or the selected ones; one that cannot run does not keep the others from running.

    A gate the project declares nothing for is passed over, unless it was selected (`asked`). Those with
    processes of their own are started first, so that they work while the others do. A finding of two gates is
    reported once.
    """
    chosen = [name for name in GATES if not selected or name in selected]
    asked = asked and bool(selected)
    checks: list[Check] = []
    findings: set[Finding] = set()
    unchecked: list[str] = []
    with FetchedBundles.for_a_command() as fetched:
        starts = {name: partial(_start, name, project, fetched) for name in reversed(chosen)}
        # The last ones have processes of their own.
        started = {name: _tried(name, start, asked=asked) for name, start in starts.items()}
        for name in chosen:
            one = started[name]
            report = one if isinstance(one, Report) else _tried(name, one, asked=asked)
            checks.extend(report.checks)
            findings.update(report.findings)
            unchecked.extend(report.unchecked)
    return Report.of("gates", checks, findings)._replace(unchecked=_grouped(unchecked))


def _start(name: str, project: Project, fetched: FetchedBundles) -> Finish:
    broken = (project.broken or {}).get(name)
    if broken is not None:
        raise broken
    return GATES[name].start(project, fetched)


def _grouped(unchecked: Sequence[str]) -> tuple[str, ...]:
    """Return the texts with one line for several gates that the same thing stops."""
    names: dict[str, list[str]] = {}
    for text in unchecked:
        name, _, reason = text.partition(": ")
        names.setdefault(reason, []).append(name)
    return tuple(f"{', '.join(gates)}: {reason}" for reason, gates in names.items())


def _tried(name: str, step: Callable[[], T], *, asked: bool) -> T | Report:
    """Return the result of a step, or the report that says why there is none."""
    try:
        return step()
    except NotDeclaredError as error:
        if asked:
            return Report(name, unchecked=(_told(name, error),))
        return Report.of(name, [Check(name, f"{PASSED_OVER}: {error.text}")], ())
    except UnreadError as error:  # a file that all of the gate rests on
        return Report(name, findings=(error.finding(error.path),), unchecked=(_told(name, error),))
    except (Exception, SystemExit) as error:  # noqa: BLE001 - of this gate alone: the others have results of their own
        return Report(name, unchecked=(_reason(name, error),))


def _reason(name: str, error: BaseException) -> str:
    """Return the reason why a gate could not check, by the error that it met."""
    show_traceback(error)
    if isinstance(error, OSError):  # a file or a folder that this user may not read, or a disk that fails
        return f"{name}: {_unread(error)}"
    if isinstance(error, RecursionError | MemoryError):
        return f"{name}: something is nested too deeply, or too large, to be read"
    from .libraries import missing_library

    known = error if isinstance(error, ToolError) else missing_library(error, "the gate")
    if known is not None:
        return _told(name, known)
    return f"{name}: {cause_of(error)} ({report_with(f'{TOOL} gates --select {name}')})"


def _unread(error: OSError) -> str:
    where = f"{shown_path(os.fsencode(error.filename))} cannot be read: " if error.filename else ""
    return f"{where}{error.strerror or error} (make it readable for this user, then run the gates again)"


def _told(name: str, error: ToolError) -> str:
    return f"{name}: {_with_advice(error)}"


def _with_advice(error: ToolError) -> str:
    return f"{error.text}{f' ({error.advice})' if error.advice else ''}"
