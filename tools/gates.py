"""All gates in one report and one exit status."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from .entry.generator import check_entry
from .errors import ToolError
from .findings import Check, Finding, Report
from .mirror.verify import VerifyOptions, verify
from .project import Project

GATES: Mapping[str, Callable[[Project], Report]] = {
    "mirror": lambda project: verify(project, VerifyOptions(prove=True)),
    "entry": check_entry,
}


def run_gates(project: Project, selected: tuple[str, ...] = ()) -> Report:
    """Run every gate, or the selected ones; one that cannot run does not keep the others from running."""
    checks: list[Check] = []
    findings: list[Finding] = []
    unchecked: list[str] = []
    for name, gate in GATES.items():
        if selected and name not in selected:
            continue
        try:
            report = gate(project)
        except ToolError as error:
            advice = f" ({error.advice})" if error.advice else ""
            unchecked.append(f"{name}: {error.text}{advice}")
            continue
        checks.extend(report.checks)
        findings.extend(report.findings)
    return replace(Report.of("gates", checks, findings), unchecked=tuple(unchecked))
