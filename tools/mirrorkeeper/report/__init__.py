"""Formats of a report: one module each, all from the one result model in `findings`.

A format's module is loaded when a report is to be written so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..findings import Report


def _text(report: Report) -> str:
    from .plain import as_plain_text

    return as_plain_text(report)


def _json(report: Report) -> str:
    from .machine import as_machine_text

    return as_machine_text(report)


def _github(report: Report) -> str:
    from .annotations import as_annotations

    return as_annotations(report)


def _markdown(report: Report) -> str:
    from .markdown import as_markdown

    return as_markdown(report)


def _sarif(report: Report) -> str:
    from .sarif import as_sarif

    return as_sarif(report)


def _junit(report: Report) -> str:
    from .junit import as_junit

    return as_junit(report)


FORMATS: Mapping[str, Callable[[Report], str]] = {
    "text": _text,
    "json": _json,
    "github": _github,
    "markdown": _markdown,
    "sarif": _sarif,
    "junit": _junit,
}
