"""A report as JUnit XML, which continuous integration shows as tests. Pure."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape, quoteattr

from ..findings import CODES, Finding, Report, Severity

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_UNKNOWN = "\ufffd"


def as_junit(report: Report) -> str:
    """Return a suite: a failed test for each error, an error for each check that could not run, and passed checks.

    Notes are passed tests with the text as their output.
    """
    errors = report.count(Severity.ERROR)
    tests = len(report.checks) + len(report.findings) + len(report.unchecked)
    counts = f'tests="{tests}" failures="{errors}" errors="{len(report.unchecked)}"'
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f"<testsuite name={_attribute(report.command)} {counts}>"]
    lines.extend(_case("check", check.name, "system-out", check.summary) for check in report.checks)
    lines.extend(_finding(finding) for finding in report.findings)
    lines.extend(_case("check", "could not check", "error", text) for text in report.unchecked)
    return "\n".join([*lines, "</testsuite>"]) + "\n"


def _finding(finding: Finding) -> str:
    place = f"{finding.shown_path}:{finding.line}" if finding.line else finding.shown_path
    text = "; ".join([finding.message, *finding.details, *([finding.fix] if finding.fix else [])])
    kind = "failure" if finding.severity is Severity.ERROR else "system-out"
    return _case(f"{finding.code} {CODES[finding.code].title}", place, kind, text)


def _case(group: str, name: str, kind: str, text: str) -> str:
    head = f"  <testcase classname={_attribute(group)} name={_attribute(name)}>"
    if kind == "system-out":
        return f"{head}<system-out>{escape(_NOT_XML.sub(_UNKNOWN, text))}</system-out></testcase>"
    return f"{head}<{kind} message={_attribute(text)}/></testcase>"


def _attribute(text: str) -> str:
    return quoteattr(_NOT_XML.sub(_UNKNOWN, text))
