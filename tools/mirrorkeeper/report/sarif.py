"""A report as SARIF 2.1.0, which code hosts show beside the lines of a change. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from urllib.parse import quote_from_bytes

from .. import __version__
from ..findings import CODES, Finding, Report, Severity
from ..tool_name import DISTRIBUTION

_LEVELS = {Severity.ERROR: "error", Severity.NOTE: "note"}
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def as_sarif(report: Report) -> str:
    """Return one run with a rule for each code that was found; checks that could not run are notifications."""
    codes = sorted({finding.code for finding in report.findings})
    run = {
        "tool": {"driver": {"name": DISTRIBUTION, "version": __version__, "rules": [_rule(code) for code in codes]}},
        "invocations": [
            {
                "executionSuccessful": not report.unchecked,
                "exitCode": report.status,
                "toolExecutionNotifications": [
                    {"level": "error", "message": {"text": text}} for text in report.unchecked
                ],
            }
        ],
        "results": [_result(finding, codes.index(finding.code)) for finding in report.findings],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, sort_keys=True) + "\n"


def _rule(code: str) -> Mapping[str, object]:
    row = CODES[code]
    return {
        "id": code,
        "name": "".join(word.capitalize() for word in row.title.split()),
        "shortDescription": {"text": row.title},
        "fullDescription": {"text": row.meaning},
        "defaultConfiguration": {"level": _LEVELS[row.severity]},
    }


def _result(finding: Finding, rule: int) -> Mapping[str, object]:
    place: dict[str, object] = {"artifactLocation": {"uri": quote_from_bytes(finding.path, safe="/:@")}}
    if finding.line:
        place["region"] = {"startLine": finding.line}
    lines = [finding.message, *finding.details, *([f"help: {finding.fix}"] if finding.fix else [])]
    return {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": _LEVELS[finding.severity],
        "message": {"text": "\n".join(lines)},
        "locations": [{"physicalLocation": place}],
    }
