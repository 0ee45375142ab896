"""Processor time of this process and of the processes of a database server, which a busy machine does not change."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from sqlalchemy import Connection

_CLIENTS: Final = (
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'"
)


def server_processes(transaction: Connection) -> tuple[int, ...]:
    """Return the processes that serve connections to a PostgreSQL database."""
    rows = transaction.exec_driver_sql(_CLIENTS)
    return tuple(int(row[0]) for row in rows)


def processor_ms(servers: Sequence[int]) -> float:
    """Return the processor time that this process and those of a server have taken, in milliseconds."""
    served = sum(int(Path(f"/proc/{pid}/schedstat").read_text(encoding="ascii").split()[0]) for pid in servers)
    return time.process_time() * 1000 + served / 1_000_000
