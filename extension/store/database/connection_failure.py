"""Causes of a connection to PostgreSQL that failed, in words that hold no password.

psycopg gives a failed connection no SQLSTATE and no fields, only the text of libpq: a server's own line follows
`FATAL:`, in the server's language. A line that is not known is passed on as the server wrote it.
"""

import re
from typing import Final

import psycopg

from extension.store.database.library_failure import LOST

ADVICE: Final = "Check that PostgreSQL runs, accepts this user, and has free space."
_SETTING: Final = "database_url"
_STATES: Final = {
    "28P01": "password authentication failed",
    "28000": "is not permitted to log in",
    "3D000": 'database "" does not exist',
}
"""Lines that the server writes for a state, for a driver that passes on the state alone."""
_CAUSES: Final = (
    (
        r"password authentication failed",
        f"the server does not accept this user with this password. Correct user and password in {_SETTING}.",
    ),
    (r"no password supplied", f"the server asks for a password, and {_SETTING} has none. Add it."),
    (
        r"role .* does not exist|is not permitted to log in",
        f"the server has no such user that may log in. Correct the user in {_SETTING}, or make it with createuser.",
    ),
    (
        r"database .* does not exist",
        f"the server has no such database. Correct its name in {_SETTING}, or make it with createdb.",
    ),
    (
        r"no pg_hba\.conf entry|Peer authentication failed|Ident authentication failed",
        "the server does not let this user connect from here. Add a line for it to the server's pg_hba.conf.",
    ),
    (
        r"permission denied for database",
        "this user may not connect to the database. Grant it CONNECT, or make it the owner.",
    ),
    (
        r"failed to resolve host|could not translate host name",
        f"the name of its host cannot be resolved. Correct the host in {_SETTING}, or the name service.",
    ),
    (
        r"Connection refused|\.s\.PGSQL\.\d+\" failed: No such file",
        f"nothing listens there. Check that PostgreSQL runs, and host and port in {_SETTING}.",
    ),
    (
        r"timeout expired|timed out",
        f"it does not answer in time. Check that PostgreSQL runs, host and port in {_SETTING}, and the network.",
    ),
    (
        r"No route to host|Network is unreachable",
        f"its host cannot be reached from here. Check the host in {_SETTING}, and the network.",
    ),
)
_OWN_LINE: Final = re.compile(r"FATAL:\s+(.+)")
_NEVER_MADE: Final = re.compile(r"^connection (failed|to server)")
_UNFIT: Final = "the driver could not carry out the request."


def known_cause(error: psycopg.Error) -> str:
    """Return the cause and the next step of a connection that failed, without a name; empty when it is not known."""
    message = _STATES.get(error.sqlstate or "") or str(error)
    return next((cause for pattern, cause in _CAUSES if re.search(pattern, message)), "")


def cause_of(error: psycopg.Error, password: str) -> str:
    """Return the cause of a connection that failed, the server's own line, or else the kind of the failure."""
    if cause := known_cause(error):
        return cause
    own = _OWN_LINE.search(str(error))
    if own and not (password and password in own[1]):
        return f"{own[1].strip().rstrip('.')}."
    return f"{_kind_of(error)} {ADVICE}"


def _kind_of(error: psycopg.Error) -> str:
    """Return what an error without a line of the server means; the driver's own words may hold an address."""
    message = str(error)
    if isinstance(error, psycopg.OperationalError) and _NEVER_MADE.search(message):
        return "no connection to it could be made."
    return LOST if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError) else _UNFIT
