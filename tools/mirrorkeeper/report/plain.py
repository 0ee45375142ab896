"""A report for people: one line a finding, its fix under it, a summary at the end. Pure."""

from __future__ import annotations

from collections import Counter

from ..findings import CODES, Finding, Report, Severity
from ..text import counted

SHOWN_A_CODE = 20


def as_plain_text(report: Report) -> str:
    """The report as lines; of each code the first twenty findings are shown, and how many more there are."""
    lines: list[str] = [f"{check.name}: {check.summary}" for check in report.checks]
    shown: Counter[str] = Counter()
    for finding in report.findings:
        shown[finding.code] += 1
        if shown[finding.code] <= SHOWN_A_CODE:
            lines.extend(_lines(finding))
    for code, count in sorted(shown.items()):
        if count > SHOWN_A_CODE:
            lines.append(
                f"… and {count - SHOWN_A_CODE} more {code} ({CODES[code].title}); --output-format json has all"
            )
    lines.extend(f"could not check: {text}" for text in report.unchecked)
    lines.append(_summary(report))
    return "\n".join(lines) + "\n"


def _lines(finding: Finding) -> list[str]:
    place = f"{finding.shown_path}:{finding.line}" if finding.line else finding.shown_path
    mark = "" if finding.severity is Severity.ERROR else "note: "
    lines = [f"{place}: {finding.code} {mark}{finding.message}"]
    lines.extend(f"    {detail}" for detail in finding.details)
    if finding.fix:
        lines.append(f"  help: {finding.fix}")
    return lines


def _summary(report: Report) -> str:
    errors, notes = report.count(Severity.ERROR), report.count(Severity.NOTE)
    aside = f" ({counted(notes, 'note')})" if notes else ""
    if report.unchecked:
        return f"{report.command}: could not check everything; {counted(errors, 'problem')} found{aside}"
    if errors:
        return f"{report.command}: found {counted(errors, 'problem')}{aside}"
    return f"{report.command}: clean{aside}"
