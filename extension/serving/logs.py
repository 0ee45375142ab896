"""Logs: structured lines on stderr, free of secrets whatever was handed to them."""

import logging
import re
import sys
from collections.abc import Mapping
from typing import Any, Final

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from adapter.privacy.secret import HIDDEN, Redactor, Secret

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
_STEERING: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
"""Control characters that would steer a terminal, except line ends and tabs of a traceback."""


class Redaction:
    """Takes secrets out of every value of a line: by its name, by known values, by shape.

    Control characters are escaped: a line may repeat bytes sent without a key.
    """

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor

    def __call__(self, _logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
        """Redact one line."""
        return {name: value if name.startswith("_") else self._clean(name, value) for name, value in event.items()}

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
                return _STEERING.sub(_written_out, self._redactor.redact(str(value)))


def _written_out(control: re.Match[str]) -> str:
    return f"\\x{ord(control[0]):02x}"


class _StandardError:
    """Writes lines to whatever stderr is when they are written."""

    def __init__(self, name: str = "") -> None:
        self.name = name

    def msg(self, message: str) -> None:
        sys.stderr.write(f"{message}\n")
        sys.stderr.flush()

    debug = info = warning = error = critical = exception = msg


class _LibraryLines(logging.Handler):
    """Redact the lines of libraries that log through the standard library."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            _StandardError().msg(self.format(record))
        except Exception:  # noqa: BLE001 - a line that cannot be written must not end its writer
            self.handleError(record)


def configure_logs(level: str, form: str, redactor: Redactor) -> None:
    """Send the log lines of this process to stderr: ours from `level` up, those of libraries from warnings up.

    `level` is debug, info, warning or error; `form` is console for people or json for machines.
    """
    renderer: Processor = (
        structlog.processors.JSONRenderer()
        if form == "json"
        else structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback, pad_event_to=0
        )
    )
    shared: list[Processor] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _name_logger,
        structlog.processors.format_exc_info,
        Redaction(redactor),
    ]
    structlog.configure(
        processors=[structlog.contextvars.merge_contextvars, *shared, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=_StandardError,
        cache_logger_on_first_use=False,
    )
    lines = _LibraryLines(logging.WARNING)
    lines.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer], foreign_pre_chain=shared
        )
    )
    root = logging.getLogger()
    root.handlers = [*(handler for handler in root.handlers if not isinstance(handler, _LibraryLines)), lines]


def _name_logger(logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    record = event.get("_record")
    name = record.name if isinstance(record, logging.LogRecord) else getattr(logger, "name", "")
    return {**event, "logger": name} if name else event
