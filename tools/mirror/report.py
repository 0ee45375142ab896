"""Formats of a report: lines for people, JSON, and GitHub's annotations with the job's summary."""

import json
import os
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

import click

from .findings import ERROR, NOTE, Finding, Report

_SHOWN_A_CODE = 20
_SHOWN_A_STEP = 10
"""Number of errors, and of notes, that GitHub shows of one step."""
_SUMMARY = "GITHUB_STEP_SUMMARY"


def show(report: Report, output_format: str) -> None:
    """Print a report; in GitHub's format also append it to the summary of the job."""
    click.echo(FORMATS[output_format](report), nl=False)
    if output_format == "github" and os.environ.get(_SUMMARY):
        with Path(os.environ[_SUMMARY]).open("a", encoding="utf-8") as file:
            file.write(f"```\n{as_text(report)}```\n")


def as_text(report: Report) -> str:
    """Return one line a finding, its next step below it, and a summary; of each code the first twenty findings."""
    lines = [f"{name}: {summary}" for name, summary in report.checks.items()]
    shown: Counter[str] = Counter()
    for finding in report.findings:
        shown[finding.code] += 1
        if shown[finding.code] <= _SHOWN_A_CODE:
            note = "note: " if finding.level == NOTE else ""
            lines.append(f"{_place(finding)}: {finding.code} {note}{finding.message}")
            lines += [f"    {detail}" for detail in finding.details]
            lines += [f"  help: {finding.hint}"] if finding.hint else []
    for code, count in sorted(shown.items()):
        if count > _SHOWN_A_CODE:
            lines.append(f"… and {count - _SHOWN_A_CODE} more {code}; --output-format json has all")
    lines += [f"could not check: {name}: {reason}" for name, reason in report.unchecked.items()]
    errors, notes = report.count(ERROR), report.count(NOTE)
    state = f"found {counted(errors, 'problem')}" if errors or report.unchecked else "clean"
    state = f"could not check everything; {state}" if report.unchecked else state
    lines.append(f"{report.command}: {state}" + (f" ({counted(notes, 'note')})" if notes else ""))
    return _printable("\n".join(lines) + "\n")


def as_json(report: Report) -> str:
    """Return the whole report as JSON; the same findings always give the same bytes."""
    rows = [
        {
            "code": finding.code,
            "title": finding.title,
            "level": finding.level,
            "path": finding.path,
            "line": finding.line,
            "message": finding.message,
            "hint": finding.hint,
            "details": finding.details,
        }
        for finding in report.findings
    ]
    document = {
        "command": report.command,
        "status": report.status,
        "checks": dict(report.checks),
        "unchecked": dict(report.unchecked),
        "findings": rows,
    }
    return json.dumps(document, indent=2, sort_keys=True) + "\n"


def as_github(report: Report) -> str:
    """Return workflow commands, one a finding; of more than GitHub shows, the last says how many there are."""
    lines: list[str] = []
    for level, command in ((ERROR, "error"), (NOTE, "notice")):
        findings = [finding for finding in report.findings if finding.level == level]
        shown = findings if len(findings) <= _SHOWN_A_STEP else findings[: _SHOWN_A_STEP - 1]
        lines += [_annotation(command, finding) for finding in shown]
        if len(findings) > len(shown):
            text = f"… and {len(findings) - len(shown)} more; the job's summary has all"
            lines.append(_command(command, {"title": report.command}, text))
    for name, reason in report.unchecked.items():
        lines.append(_command("error", {"title": f"{name}: could not check"}, reason))
    return _printable("".join(f"{line}\n" for line in lines))


FORMATS: Mapping[str, Callable[[Report], str]] = {"text": as_text, "json": as_json, "github": as_github}


def _annotation(command: str, finding: Finding) -> str:
    properties = {"file": finding.path, "title": f"{finding.code} {finding.title}"}
    if finding.line:
        properties["line"] = str(finding.line)
    hint = [f"help: {finding.hint}"] if finding.hint else []
    return _command(command, properties, "\n".join([finding.message, *finding.details, *hint]))


def _command(command: str, properties: Mapping[str, str], text: str) -> str:
    listed = ",".join(
        f"{name}={_escaped(value).replace(':', '%3A').replace(',', '%2C')}" for name, value in properties.items()
    )
    return f"::{command} {listed}::{_escaped(text)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _place(finding: Finding) -> str:
    return f"{finding.path}:{finding.line}" if finding.line else finding.path


def _printable(text: str) -> str:
    """Return the text with control characters and bytes that are no UTF-8 escaped."""
    shown = "".join(sign if sign == "\n" or sign.isprintable() else repr(sign)[1:-1] for sign in text)
    return shown.encode("utf-8", "backslashreplace").decode("utf-8")


def counted(count: int, word: str) -> str:
    """Return the number with its noun in the singular or the plural."""
    return f"{count} {word}{'' if count == 1 else 'es' if word.endswith('ch') else 's'}"
