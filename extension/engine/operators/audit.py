"""Audit of changes: no change without a record, which is stored before the change begins."""

from dataclasses import asdict, dataclass
from typing import Final

import structlog

from adapter.clock import Clock
from adapter.privacy.encodable import writable
from adapter.privacy.secret import Redactor
from extension.store.database.database import Database
from extension.store.errors import StoreError
from extension.store.operators import audit as rows
from extension.store.operators.audit import AuditFilter, AuditOutcome, AuditRecord

_LONGEST_REASON: Final = 500
_LONGEST_PATH: Final = 300
_LONGEST_NAME: Final = 200
_LONGEST_CREDENTIAL: Final = 64
_log = structlog.get_logger("poolkeeper.audit")


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """A request to change something: operator, credential, address, gateway, path, and the note of the person."""

    operator: str
    credential: str
    address: str
    pool: str
    method: str
    path: str
    reason: str = ""


class AuditLog:
    """Writes and reads the audit; texts of a request are redacted and clipped."""

    def __init__(self, database: Database, clock: Clock, redactor: Redactor) -> None:
        self._database = database
        self._clock = clock
        self._redactor = redactor

    async def begin(self, entry: AuditEntry) -> int:
        """Record a change before it begins, and return its number. Raises StoreError: then nothing may be changed."""
        return await self._add(entry, outcome=AuditOutcome.BEGUN.value, status=None, code="", ended_at=None)

    async def refused(self, entry: AuditEntry, status: int, code: str) -> None:
        """Record a change that the caller may not make; an outage of the database leaves a line in the log."""
        now = self._clock.now_ms()
        try:
            await self._add(entry, outcome=AuditOutcome.REFUSED.value, status=status, code=code, ended_at=now)
        except StoreError as error:
            _log.warning("a refused change was not recorded", operator=entry.operator, code=code, reason=str(error))

    async def end(self, record_id: int, outcome: AuditOutcome, status: int | None, code: str) -> None:
        """Record the outcome of a change; without it the record says that it has begun."""
        values = {"outcome": outcome.value, "status": status, "code": code, "ended_at": self._clock.now_ms()}
        try:
            await self._database.write(rows.end, record_id, values)
        except StoreError as error:
            _log.warning("the outcome of a change was not recorded", audit=record_id, reason=str(error))

    async def page(self, conditions: AuditFilter, *, before: int | None = None, limit: int) -> tuple[AuditRecord, ...]:
        """Return records with numbers below `before`, the newest first."""
        return await self._database.read(rows.page, conditions, before, limit)

    async def _add(self, entry: AuditEntry, **outcome: object) -> int:
        values = {
            **asdict(entry),
            "at": self._clock.now_ms(),
            "operator": entry.operator[:_LONGEST_NAME],
            "credential": entry.credential[:_LONGEST_CREDENTIAL],
            "address": entry.address[:_LONGEST_CREDENTIAL],
            "pool": self._shown(entry.pool, _LONGEST_NAME),
            "path": self._shown(entry.path, _LONGEST_PATH),
            "reason": self._shown(entry.reason, _LONGEST_REASON),
        }
        return await self._database.write(rows.add, {**values, **outcome})

    def _shown(self, text: str, longest: int) -> str:
        return writable(self._redactor.redact(text)[:longest]).replace("\0", "\ufffd")
