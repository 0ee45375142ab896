"""Codes of error answers: those of the tables, and those that the code raises one by one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from extension.api import problems
from tests.repository.documents.markdown import sentence
from tests.repository.tracked import hand_written, text_of

RAISED: Final[Mapping[str, tuple[str, str]]] = {
    "bad_request": ("400", "Body or query cannot be used; the text names the field."),
    "bad_setting": ("400", "A setting is unknown or out of range; the text names it."),
    "no_session": ("401", "Neither a session nor the management key was sent, or the session has ended."),
    "wrong_key": ("401", "The gateway refused the management key."),
    "banned": ("403", "The gateway banned the address after wrong keys; see `Retry-After`."),
    "forbidden": ("403", "The gateway denied access for another reason, such as `allow-remote`."),
    "csrf": ("403", "An unsafe request by session lacks its CSRF token."),
    "no_sessions": ("409", "Loaded as a plugin, the service opens no session: send the key with each request."),
    "no_management": ("404", "The gateway has no management key, so there is no management."),
    "too_many_reads": ("429", "The reads of all callers exceed `reads_per_second`; see `Retry-After`."),
    "busy": ("429", "Too many keys are waiting for their check; this one was not checked. See `Retry-After`."),
    "internal": ("500", "An unexpected error; see the log of the service."),
    "standby": (
        "503",
        "Another process leads the shared database, or has the data folder: ask that one, or wait.",
    ),
    "not_ready": ("503", "The service is starting or ending; see `Retry-After`."),
    "inspection_off": ("503", "The data folder is damaged or incomplete, or the database does not fit."),
    "store_unavailable": (
        "503",
        "The data folder or database cannot be used at the moment; the service tries again by itself.",
    ),
    "no_stream": ("406", "The gateway delivers whole answers only; read events page by page."),
    "not_open": ("503", "The plugin process could not open the service; `error` says why."),
    "settings_invalid": ("503", "A setting of the plugin in the gateway's configuration cannot be used."),
    "starting": ("503", "The plugin process is opening the service; see `Retry-After`."),
    "too_late": ("504", "The service did not answer within the time of the gateway."),
    "store": ("503", "The data folder cannot be read or written."),
}
"""Status and meaning of each code outside of the tables; an unlisted one fails by name."""

OF_THE_LIBRARY: Final[Mapping[str, tuple[str, str]]] = {
    "body_too_large": ("413", "The body is longer than the library passes on."),
    "plugin_failed": ("502", "The plugin process ended during the call, or the library failed."),
    "not_running": ("503", "The plugin process does not come up: `error` has the cause, `hint` the next step."),
    "stopping": ("503", "The plugin was disabled or removed during the call."),
    "version_mismatch": ("503", "Plugin process and library are of different versions."),
    "deadline_exceeded": (
        "504",
        "The plugin process did not answer in time; one that gives no sign of life for 45 seconds is replaced.",
    ),
}
"""The same for the answers of the library in a stock gateway, beside `starting`."""
_RELAY: Final = "extension/plugin/shim/src/relay.rs"


class ProblemRow(NamedTuple):
    """One code of error answers."""

    code: str
    status: str
    meaning: str


def problem_rows() -> tuple[ProblemRow, ...]:
    """Return all codes, sorted by status.

    Raises:
        LookupError: the code raises a problem that `RAISED` does not list, or no longer raises one that it lists.
    """
    rows = {row.code: row for row in _tabled()}
    raised = {code for code in _raised() if code not in rows}
    if raised != set(RAISED) - set(rows):
        raise LookupError(f"Codes without a row, or rows without a code: {sorted(raised ^ (set(RAISED) - set(rows)))}.")
    rows |= {code: ProblemRow(code, *RAISED[code]) for code in raised}
    if of_the_library() != {*OF_THE_LIBRARY, "starting"}:
        raise LookupError(f"Codes of the library: {sorted(of_the_library() ^ {*OF_THE_LIBRARY, 'starting'})}.")
    rows |= {code: ProblemRow(code, *row) for code, row in OF_THE_LIBRARY.items()}
    return tuple(sorted(rows.values(), key=lambda row: (row.status, row.code)))


def of_the_library() -> set[str]:
    """Return the codes in the answers that the library makes itself."""
    answers = text_of(_RELAY).partition("#[cfg(test)]")[0]
    return set(re.findall(r'(?:code: |[{] )(?:if [^{]+[{] )?"([a-z_]+)"', answers))


def _tabled() -> Iterator[ProblemRow]:
    for kind, status in problems._ENGINE_STATUS.items():
        yield ProblemRow(kind.code, str(status), sentence(kind.__doc__ or ""))
    for error, (status, code, hint) in problems._GATEWAY_ANSWERS.items():
        yield ProblemRow(code, str(status), f"{sentence(error.__doc__ or '')} {hint}")
    for status, (text, code, hint) in problems._STATUS_ANSWERS.items():
        yield ProblemRow(code, str(status), f"{text} {hint}")


def _raised() -> Iterator[str]:
    """Yield the constant codes of every `Problem(status, text, code, …)` in the extension."""
    for name in hand_written(".py"):
        if name.startswith("extension/"):
            for node in ast.walk(ast.parse(text_of(name))):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Problem":
                    code = node.args[2] if len(node.args) > 2 else None
                    if isinstance(code, ast.Constant):
                        yield str(code.value)
