"""A report as GitHub annotations: one workflow command a finding, shown beside the lines of a change. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from ..findings import CODES, Finding, Report, Severity

SHOWN_A_STEP = 10
"""Number of errors, and of notes, that GitHub shows of one step."""
_LEVELS = {Severity.ERROR: "error", Severity.NOTE: "notice"}


def as_annotations(report: Report) -> str:
    """The report as workflow commands; of more than GitHub shows, the last one says how many there are."""
    lines: list[str] = []
    for severity, level in _LEVELS.items():
        found = [finding for finding in report.findings if finding.severity is severity]
        shown = found if len(found) <= SHOWN_A_STEP else found[: SHOWN_A_STEP - 1]
        lines.extend(_annotation(level, finding) for finding in shown)
        if len(found) > len(shown):
            text = f"… and {len(found) - len(shown)} more; the job's summary has all"
            lines.append(_command(level, {"title": report.command}, text))
    lines.extend(_command("error", {"title": f"{report.command}: could not check"}, text) for text in report.unchecked)
    return "".join(line + "\n" for line in lines)


def _annotation(level: str, finding: Finding) -> str:
    properties = {"file": finding.shown_path, "title": f"{finding.code} {CODES[finding.code].title}"}
    if finding.line:
        properties["line"] = str(finding.line)
    text = [finding.message, *finding.details, *([f"help: {finding.fix}"] if finding.fix else [])]
    return _command(level, properties, "\n".join(text))


def _command(level: str, properties: Mapping[str, str], text: str) -> str:
    listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{level} {listed}::{_message(text)}"


def _message(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")
