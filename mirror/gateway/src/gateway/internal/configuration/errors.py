"""Errors of configuration files.

ConfigurationError   the file cannot be used; the message names file, line and remedy
EditRefused          an edit cannot be made without touching other places
RevisionConflict     the file changed since the caller read it
"""

import errno
from pathlib import Path


class ConfigurationError(Exception):
    """The configuration cannot be used; ``str()`` is one line with place, problem and remedy.

    Attributes:
        problem: The problem without the place.
        line: One-based line in the file, or 0 when no single line is responsible.
        syntax: True when the text is not YAML, or a value has the wrong type; False for impossible values.
        short: The problem, in the words of the stock gateway's parser where it is not YAML.
    """

    def __init__(self, problem: str, *, file: str = "", line: int = 0, syntax: bool = False, short: str = "") -> None:
        self.problem = problem
        self.short = short or (f"yaml: line {line}: {problem}" if line else problem)
        self.line = line
        self.syntax = syntax
        where = f"{file}, line {line}" if file and line else f"line {line}" if line else file
        super().__init__(f"{where}: {problem}" if where else problem)

    def within(self, file: str) -> "ConfigurationError":
        """Return the same error with the name of its file."""
        return ConfigurationError(self.problem, file=file, line=self.line, syntax=self.syntax, short=self.short)


class EditRefused(Exception):  # noqa: N818 - it names what happened, and callers read it so
    """The edit cannot be made safely; nothing was changed."""


class RevisionConflict(Exception):  # noqa: N818 - it names what happened, and callers read it so
    """The file changed since the caller read it.

    Attributes:
        now: The current revision of the file.
    """

    def __init__(self, now: str) -> None:
        self.now = now
        super().__init__("the configuration changed since it was read; read it again")


def unreadable(error: OSError, path: Path) -> ConfigurationError:
    """Return the error for a config.yaml that cannot be read or written."""
    cure = "shorten it" if error.errno == errno.EFBIG else "check its name and permissions"
    return ConfigurationError(
        f"it cannot be read or written ({reason_of(error)}); {cure}, or name another file with --config", file=str(path)
    )


def reason_of(error: OSError) -> str:
    """Return the operating system's description of an error, e.g. ``permission denied``."""
    return (error.strerror or "unknown reason").lower()
