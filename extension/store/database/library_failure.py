"""Causes of errors that the database library raises by itself, in plain words.

No statement, value or address is quoted: only the kind of the error is looked at.
"""

from typing import Final

from sqlalchemy import exc

LOST: Final = "the connection was lost in the middle of the work."
_CAUSES: Final = (
    (exc.PendingRollbackError, LOST),
    (exc.DisconnectionError, LOST),
    (exc.ResourceClosedError, LOST),
    (exc.TimeoutError, "no connection was free in time."),
)
_OTHER: Final = "the work could not be done; the log has the details."


def library_cause(error: exc.SQLAlchemyError) -> str:
    """Return the cause of an error without one of the driver, as a sentence in lower case."""
    if isinstance(error, exc.DBAPIError) and error.connection_invalidated:
        return LOST
    return next((cause for kind, cause in _CAUSES if isinstance(error, kind)), _OTHER)
