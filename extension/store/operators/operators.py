"""Operators of a fleet and their tokens, of which only hashes are stored."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import RowMapping, delete, func, insert, select, update

from extension.store.database.database import Transaction
from extension.store.schema.operator_tables import OPERATOR_TOKENS, OPERATORS

_ROW = OPERATORS.c
_TOKEN = OPERATOR_TOKENS.c


@dataclass(frozen=True, slots=True)
class TokenRecord:
    """A token without itself: number, operator, note, and times in milliseconds UTC."""

    id: int
    operator_id: int
    note: str
    added_by: str
    added_at: int
    expires_at: int


@dataclass(frozen=True, slots=True)
class OperatorRecord:
    """An operator; `labels` are those that a gateway must have, none for every gateway."""

    id: int
    name: str
    role: str
    labels: Mapping[str, str]
    added_by: str
    added_at: int


def add(transaction: Transaction, values: Mapping[str, object]) -> OperatorRecord | None:
    """Store an operator by the names of the columns; None when the name is taken."""
    if get(transaction, str(values["name"])) is not None:
        return None
    return _record(transaction.execute(insert(OPERATORS).values(**values).returning(OPERATORS)).mappings().one())


def edit(transaction: Transaction, operator_id: int, *, role: str, labels: Mapping[str, str]) -> None:
    """Change role and labels of an operator."""
    transaction.execute(update(OPERATORS).where(_ROW.id == operator_id).values(role=role, labels=dict(labels)))


def remove(transaction: Transaction, operator_id: int) -> None:
    """Forget an operator with all tokens."""
    transaction.execute(delete(OPERATOR_TOKENS).where(_TOKEN.operator_id == operator_id))
    transaction.execute(delete(OPERATORS).where(_ROW.id == operator_id))


def get(transaction: Transaction, name: str) -> OperatorRecord | None:
    """Return the operator of a name."""
    row = transaction.execute(select(OPERATORS).where(_ROW.name == name)).mappings().one_or_none()
    return None if row is None else _record(row)


def everyone(transaction: Transaction) -> tuple[OperatorRecord, ...]:
    """Return all operators, by name."""
    return tuple(map(_record, transaction.execute(select(OPERATORS).order_by(_ROW.name)).mappings()))


def count(transaction: Transaction, role: str) -> int:
    """Return the count of operators of a role."""
    query = select(func.count()).select_from(OPERATORS).where(_ROW.role == role)
    return int(transaction.execute(query).scalar_one())


def add_token(transaction: Transaction, values: Mapping[str, object]) -> TokenRecord:
    """Store the hash of a token by the names of the columns."""
    statement = insert(OPERATOR_TOKENS).values(**values).returning(OPERATOR_TOKENS)
    return _token(transaction.execute(statement).mappings().one())


def remove_token(transaction: Transaction, token_id: int) -> bool:
    """Forget a token; false when it is not known."""
    return transaction.execute(delete(OPERATOR_TOKENS).where(_TOKEN.id == token_id)).rowcount > 0


def tokens(transaction: Transaction) -> tuple[TokenRecord, ...]:
    """Return all tokens, the oldest first."""
    rows = transaction.execute(select(OPERATOR_TOKENS).order_by(_TOKEN.id)).mappings()
    return tuple(map(_token, rows))


def of_digest(transaction: Transaction, digest: str, now: int) -> tuple[OperatorRecord, int] | None:
    """Return the operator of a token by its hash, and its number; None when it was revoked or has expired."""
    query = (
        select(*OPERATORS.c, _TOKEN.id.label("token_id"))
        .join(OPERATOR_TOKENS, _TOKEN.operator_id == _ROW.id)
        .where(_TOKEN.digest == digest, _TOKEN.expires_at > now)
    )
    row = transaction.execute(query).mappings().one_or_none()
    if row is None:
        return None
    return OperatorRecord(**{name: row[name] for name in OperatorRecord.__slots__}), int(row["token_id"])


def _record(row: RowMapping) -> OperatorRecord:
    return OperatorRecord(**row)


def _token(row: RowMapping) -> TokenRecord:
    return TokenRecord(**{name: value for name, value in row.items() if name != "digest"})
