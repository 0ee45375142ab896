"""How a report is shown: one module a format, all from the one result model in `findings`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..findings import Report
from .annotations import as_annotations
from .machine import as_machine_text
from .markdown import as_markdown
from .plain import as_plain_text

FORMATS: Mapping[str, Callable[[Report], str]] = {
    "text": as_plain_text,
    "json": as_machine_text,
    "github": as_annotations,
    "markdown": as_markdown,
}

__all__ = ["FORMATS", "as_annotations", "as_markdown"]
