"""Write lock of a PostgreSQL database: one writing transaction at a time, of whichever process.

Theory of operation. Every writing transaction begins with the same advisory lock and keeps it to its end. A process
that is stopped in between would keep it for ever. The server ends a session that rests between two statements. A
session with a statement half sent is not ended, because its timer is off by then. So a transaction that has waited in
vain ends the sessions that hold the lock and have been waiting for their own client for as long.
"""

from typing import Final

import psycopg
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

STOPPED_SECONDS: Final = 5
"""A session that rests within a writing transaction for this long is ended: its process is stopped or cut off."""
WRITER: Final = "poolkeeper writer"
"""Name of a session that may not rest within a transaction, in PostgreSQL's list of sessions."""
_PATIENT: Final = "poolkeeper archive"
_LOCK: Final = 0x706F6F6C6B656570  # the advisory lock, the same in every process
_END_STOPPED: Final = f"""
SELECT pg_terminate_backend(session.pid)
FROM pg_locks AS lock JOIN pg_stat_activity AS session ON session.pid = lock.pid
WHERE lock.locktype = 'advisory' AND lock.granted AND lock.objsubid = 1
  AND lock.classid::bigint = {_LOCK >> 32} AND lock.objid::bigint = {_LOCK & 0xFFFF_FFFF}
  AND session.datname = current_database() AND session.usename = current_user
  AND session.application_name = '{WRITER}' AND session.wait_event = 'ClientRead'
  AND clock_timestamp() - greatest(session.state_change, session.query_start) > '{STOPPED_SECONDS}s'::interval
"""  # noqa: S608 - constants of this module alone


def take(connection: Connection) -> None:
    """Take the lock until the end of a transaction that begins with it, after at most twice the limit of a session.

    Raises DBAPIError: another transaction has kept it all the time.
    """
    if connection.exec_driver_sql(f"SELECT pg_try_advisory_xact_lock({_LOCK})").scalar():
        return
    try:
        _wait(connection)
    except DBAPIError as error:
        if not isinstance(error.orig, psycopg.errors.LockNotAvailable):
            raise
        connection.connection.rollback()  # nothing is lost: the transaction has done nothing yet
        connection.exec_driver_sql(_END_STOPPED)
        _wait(connection)


def allow_rest(connection: Connection) -> None:
    """Let a transaction rest as long as it likes, as one that waits for a file."""
    connection.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")
    connection.exec_driver_sql(f"SET LOCAL application_name = '{_PATIENT}'")


def _wait(connection: Connection) -> None:
    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
