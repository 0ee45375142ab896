"""Logs: structured lines on stderr, free of secrets whatever was handed to them."""

import logging
import sys
from collections.abc import Mapping
from typing import Any, Final, TextIO

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from adapter.secret import HIDDEN, Redactor, Secret

_SECRET_NAMES: Final = frozenset(
    {
        "authorization",
        "cookie",
        "set-cookie",
        "x-management-key",
        "x-poolkeeper-csrf",
        "key",
        "token",
        "csrf",
        "password",
    }
)


class Redaction:
    """Takes secrets out of every value of a line: by the name it stands under, by what is known, by shape."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor

    def __call__(self, _logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
        """Redact one line."""
        return {name: self._clean(name, value) for name, value in event.items()}

    def _clean(self, name: str, value: Any) -> Any:
        if name.lower().replace("_", "-") in _SECRET_NAMES:
            return HIDDEN
        match value:
            case bool() | int() | float() | None:
                return value
            case Secret():
                return str(value)
            case Mapping():
                return {str(key): self._clean(str(key), inner) for key, inner in value.items()}
            case list() | tuple() | set() | frozenset():
                return [self._clean("", inner) for inner in value]
            case _:
                return self._redactor.redact(str(value))


def configure_logs(level: str, form: str, redactor: Redactor, stream: TextIO | None = None) -> None:
    """Send the log lines of this process to a stream (stderr unless told otherwise).

    `level` is debug, info, warning or error; `form` is console for people or json for machines.
    """
    target = stream or sys.stderr
    renderer: Processor = (
        structlog.processors.JSONRenderer()
        if form == "json"
        else structlog.dev.ConsoleRenderer(colors=target.isatty(), exception_formatter=structlog.dev.plain_traceback)
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            Redaction(redactor),
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.PrintLoggerFactory(target),
        cache_logger_on_first_use=False,
    )
