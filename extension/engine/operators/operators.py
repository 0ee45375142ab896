"""Operators of a fleet and their tokens. A token is shown once; only its SHA-256 is stored."""

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from adapter.clock import Clock
from adapter.privacy.secret import Secret
from extension.engine.operators.errors import AdminLimited, LastAdmin, OperatorExists, OperatorUnknown, TokenUnknown
from extension.engine.operators.permission import Operator, Role
from extension.store.database.database import Database, Transaction
from extension.store.operators import operators as rows
from extension.store.operators.operators import OperatorRecord, TokenRecord

MARK_OF_TOKENS: Final = "pk_"
"""Beginning of every token: a shape that is redacted in every text."""
_TOKEN_BYTES: Final = 32
_DAY_MS: Final = 86_400_000


@dataclass(frozen=True, slots=True)
class IssuedToken:
    """A new token, which can be shown this once."""

    record: TokenRecord
    token: Secret = field(repr=False)


class Operators:
    """Operators and tokens in the database that the consoles of a fleet share; each call reads it anew."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def everyone(self) -> tuple[tuple[OperatorRecord, tuple[TokenRecord, ...]], ...]:
        """Return all operators by name, each with its tokens."""

        def read(transaction: Transaction) -> tuple[tuple[OperatorRecord, tuple[TokenRecord, ...]], ...]:
            tokens = rows.tokens(transaction)
            return tuple(
                (operator, tuple(token for token in tokens if token.operator_id == operator.id))
                for operator in rows.everyone(transaction)
            )

        return await self._database.read(read)

    async def add(self, operator: Operator, actor: str) -> None:
        """Add an operator. Raises `OperatorExists` or `AdminLimited`."""
        _require_unlimited(operator.role, operator.labels)
        values: dict[str, object] = {"name": operator.name, "role": operator.role.value}
        values["labels"] = dict(operator.labels)
        values |= {"added_by": actor, "added_at": self._clock.now_ms()}
        if await self._database.write(rows.add, values) is None:
            raise OperatorExists

    async def edit(self, name: str, role: Role | None, labels: Mapping[str, str] | None) -> None:
        """Change role or labels of an operator. Raises `OperatorUnknown`, `AdminLimited` or `LastAdmin`."""

        def write(transaction: Transaction) -> None:
            record = _required(transaction, name)
            new_role = role or Role(record.role)
            new_labels = record.labels if labels is None else labels
            _require_unlimited(new_role, new_labels)
            if new_role is not Role.ADMIN:
                _require_other_admin(transaction, record)
            rows.edit(transaction, record.id, role=new_role.value, labels=new_labels)

        await self._database.write(write)

    async def remove(self, name: str) -> None:
        """Remove an operator with all tokens. Raises `OperatorUnknown` or `LastAdmin`."""

        def write(transaction: Transaction) -> None:
            record = _required(transaction, name)
            _require_other_admin(transaction, record)
            rows.remove(transaction, record.id)

        await self._database.write(write)

    async def issue(self, name: str, days: int, note: str, actor: str) -> IssuedToken:
        """Make a token that expires after so many days. Raises `OperatorUnknown`."""
        token = Secret(f"{MARK_OF_TOKENS}{secrets.token_urlsafe(_TOKEN_BYTES)}")
        now = self._clock.now_ms()

        def write(transaction: Transaction) -> TokenRecord:
            values: dict[str, object] = {
                "operator_id": _required(transaction, name).id,
                "digest": digest_of(token),
                "note": note,
            }
            values |= {"added_by": actor, "added_at": now, "expires_at": now + days * _DAY_MS}
            return rows.add_token(transaction, values)

        return IssuedToken(await self._database.write(write), token)

    async def revoke(self, token_id: int) -> None:
        """Revoke a token; what uses it is refused from the next request on. Raises `TokenUnknown`."""
        if not await self._database.write(rows.remove_token, token_id):
            raise TokenUnknown

    async def by_digest(self, digest: str) -> tuple[Operator, int] | None:
        """Return the operator of a token by its hash, and its number; None when it is wrong, revoked or expired."""
        match = await self._database.read(rows.of_digest, digest, self._clock.now_ms())
        return None if match is None else (_operator(match[0]), match[1])

    async def by_name(self, name: str) -> Operator | None:
        """Return an operator by name."""
        record = await self._database.read(rows.get, name)
        return None if record is None else _operator(record)


def digest_of(token: Secret) -> str:
    """Hash a token; it is random, so that no slow hash is needed."""
    return hashlib.sha256(token.reveal().encode("utf-8", "surrogatepass")).hexdigest()


def _operator(record: OperatorRecord) -> Operator:
    return Operator(record.name, Role(record.role), record.labels)


def _required(transaction: Transaction, name: str) -> OperatorRecord:
    record = rows.get(transaction, name)
    if record is None:
        raise OperatorUnknown
    return record


def _require_unlimited(role: Role, labels: Mapping[str, str]) -> None:
    if role is Role.ADMIN and labels:
        raise AdminLimited


def _require_other_admin(transaction: Transaction, record: OperatorRecord) -> None:
    if record.role == Role.ADMIN and rows.count(transaction, Role.ADMIN.value) == 1:
        raise LastAdmin
