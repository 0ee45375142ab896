"""A report for programs: JSON, byte-identical for the same findings. Pure."""

from __future__ import annotations

import json

from ..findings import Report, Severity

SCHEMA = 1


def as_machine_text(report: Report) -> str:
    """The report as JSON with sorted keys: schema, command, status, checks, counts, findings (never capped).

    ASCII alone, so that the same findings are the same bytes in whatever encoding the output is.
    """
    data = {
        "schema": SCHEMA,
        "command": report.command,
        "status": report.status,
        "checks": [{"name": check.name, "summary": check.summary} for check in report.checks],
        "counts": {str(severity): report.count(severity) for severity in Severity},
        "findings": [finding.as_json() for finding in report.findings],
        "unchecked": list(report.unchecked),
    }
    return json.dumps(data, indent=2, sort_keys=True) + "\n"
