"""A report as Markdown: for the summary of a CI job, or the description of a change. Pure."""

from __future__ import annotations

from ..findings import CODES, Finding, Report, Severity

_LIMIT = 900_000
"""Characters; GitHub refuses a summary of more than a mebibyte."""


def as_markdown(report: Report) -> str:
    """Return the report as a heading, the checks, and a table of all findings."""
    errors, notes = report.count(Severity.ERROR), report.count(Severity.NOTE)
    state = "could not check everything" if report.unchecked else "clean" if not errors else f"{errors} found"
    lines = [f"### {plain(report.command)}: {state}{f', {notes} noted' if notes else ''}", ""]
    lines.extend(f"- {plain(check.name)}: {plain(check.summary)}" for check in report.checks)
    lines.extend(f"- **could not check** {plain(text)}" for text in report.unchecked)
    if report.findings:
        lines += ["", "| Code | Where | What | What to do |", "|---|---|---|---|"]
    size = sum(map(len, lines))
    for at, finding in enumerate(report.findings):
        row = _row(finding)
        size += len(row)
        if size > _LIMIT:
            lines.append(f"\n… and {len(report.findings) - at} more; `--output-format json` has all.")
            break
        lines.append(row)
    return "\n".join(lines) + "\n"


def _row(finding: Finding) -> str:
    place = f"{finding.shown_path}:{finding.line}" if finding.line else finding.shown_path
    what = "<br>".join(map(plain, (finding.message, *finding.details)))
    note = "" if finding.severity is Severity.ERROR else " (note)"
    code = f"{finding.code} {CODES[finding.code].title}{note}"
    return f"| {code} | {code_span(place)} | {what} | {plain(finding.fix)} |"


def code_span(text: str) -> str:
    """Text as code, in a cell of a table as well."""
    return f"`{text.replace('|', chr(92) + '|').replace('`', chr(39))}`"


def plain(text: str) -> str:
    """Text that means nothing but itself in a cell of a table."""
    for sign in "\\`*_[]<>|#":
        text = text.replace(sign, "\\" + sign)
    return text.replace("\r", " ").replace("\n", " ")
