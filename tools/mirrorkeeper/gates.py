"""All gates in one report and one exit status."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from .errors import NotDeclaredError, ToolError
from .findings import Check, Finding, Report
from .project import Project

T = TypeVar("T")
Finish = Callable[[], Report]
"""Waits for a gate that was started and gives its report."""


def _mirror(project: Project) -> Finish:
    from .mirror.verify.verify import VerifyOptions, verify

    return lambda: verify(project, VerifyOptions(prove=True))


def _origin(project: Project) -> Finish:
    from .mirror.verify.origin import check_origin

    return lambda: check_origin(project)


def _patches(project: Project) -> Finish:
    from .patch.check import check_patches

    return lambda: check_patches(project)


def _entry(project: Project) -> Finish:
    from .entry.generator import check_entry

    return lambda: check_entry(project)


def _boundary(project: Project) -> Finish:
    from .boundary.check import Boundary

    return Boundary(project).report


def _contract(project: Project) -> Finish:
    from .contract.check import Contract

    return Contract(project).report


@dataclass(frozen=True)
class Gate:
    """One gate: its purpose, in a line, and the function that starts it."""

    purpose: str
    start: Callable[[Project], Finish]


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


def run_gates(project: Project, selected: tuple[str, ...] = (), *, asked: bool = True) -> Report:
    """Run every gate, or the selected ones; one that cannot run does not keep the others from running.

    A gate the project declares nothing for is passed over, unless it was selected (`asked`). Those with
    processes of their own are started first, so that they work while the others do. A finding of two gates is
    reported once.
    """
    chosen = [name for name in GATES if not selected or name in selected]
    asked = asked and bool(selected)
    # The last ones have processes of their own.
    started = {name: _tried(name, partial(GATES[name].start, project), asked=asked) for name in reversed(chosen)}
    checks: list[Check] = []
    findings: set[Finding] = set()
    unchecked: list[str] = []
    for name in chosen:
        one = started[name]
        report = one if isinstance(one, Report) else _tried(name, one, asked=asked)
        checks.extend(report.checks)
        findings.update(report.findings)
        unchecked.extend(report.unchecked)
    return Report.of("gates", checks, findings)._replace(unchecked=tuple(unchecked))


def _tried(name: str, step: Callable[[], T], *, asked: bool) -> T | Report:
    """Return the result of a step, or the report that says why there is none."""
    try:
        return step()
    except NotDeclaredError as error:
        if not asked:
            return Report.of(name, [Check(name, f"passed over: {error.text}")], ())
        return Report(name, unchecked=(_told(name, error),))
    except ToolError as error:
        return Report(name, unchecked=(_told(name, error),))


def _told(name: str, error: ToolError) -> str:
    return f"{name}: {error.text}{f' ({error.advice})' if error.advice else ''}"
