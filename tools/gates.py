"""All gates in one report and one exit status."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from .errors import ToolError
from .findings import Check, Finding, Report
from .project import Project

Finish = Callable[[], Report]
"""Waits for a gate that was started and gives its report."""


def _mirror(project: Project) -> Finish:
    from .mirror.verify import VerifyOptions, verify

    return lambda: verify(project, VerifyOptions(prove=True))


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
    """One gate: what it is for, in a line, and how it is started."""

    purpose: str
    start: Callable[[Project], Finish]


GATES: Mapping[str, Gate] = {
    "mirror": Gate("the mirrored tree is the pinned one with the patches, provably", _mirror),
    "patches": Gate("the patches are listed, and those the mirror was made with", _patches),
    "entry": Gate("the generated entry is what the generator writes", _entry),
    "boundary": Gate("only the adapter imports the gateway, by names that are listed", _boundary),
    "contract": Gate("endpoints and configuration keys that are relied on are there", _contract),
}


def run_gates(project: Project, selected: tuple[str, ...] = ()) -> Report:
    """Run every gate, or the selected ones; one that cannot run does not keep the others from running.

    Those with processes of their own are started first, so that they work while the others do. What two gates find
    alike is reported once.
    """
    chosen = [name for name in GATES if not selected or name in selected]
    started: dict[str, Finish] = {}
    unchecked: dict[str, str] = {}
    # The last ones have processes of their own.
    for name in reversed(chosen):
        try:
            started[name] = GATES[name].start(project)
        except ToolError as error:
            unchecked[name] = _told(name, error)
    checks: list[Check] = []
    findings: set[Finding] = set()
    for name in chosen:
        if name not in started:
            continue
        try:
            report = started[name]()
        except ToolError as error:
            unchecked[name] = _told(name, error)
            continue
        checks.extend(report.checks)
        findings.update(report.findings)
    told = tuple(unchecked[name] for name in chosen if name in unchecked)
    return replace(Report.of("gates", checks, findings), unchecked=told)


def _told(name: str, error: ToolError) -> str:
    return f"{name}: {error.text}{f' ({error.advice})' if error.advice else ''}"
