"""Operators of a fleet and their tokens, of which only hashes are stored."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import RowMapping, Select, delete, func, insert, select, update

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
    return _only(transaction, select(OPERATORS).where(_ROW.name == name))


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
    """Return the operator of a token that has not expired, and the number of the token."""
    query = select(_TOKEN.id).where(_TOKEN.digest == digest)
    token_id = transaction.execute(query).scalar_one_or_none()
    operator = None if token_id is None else of_token(transaction, token_id, now)
    return None if operator is None or token_id is None else (operator, int(token_id))


def of_token(transaction: Transaction, token_id: int, now: int) -> OperatorRecord | None:
    """Return the operator of a token by its number, unless it was revoked or has expired."""
    joined = select(OPERATORS).join(OPERATOR_TOKENS, _TOKEN.operator_id == _ROW.id)
    return _only(transaction, joined.where(_TOKEN.id == token_id, _TOKEN.expires_at > now))


def _only(transaction: Transaction, query: Select[tuple[object, ...]]) -> OperatorRecord | None:
    row = transaction.execute(query).mappings().one_or_none()
    return None if row is None else _record(row)


def _record(row: RowMapping) -> OperatorRecord:
    return OperatorRecord(**row)


def _token(row: RowMapping) -> TokenRecord:
    return TokenRecord(**{name: value for name, value in row.items() if name != "digest"})
