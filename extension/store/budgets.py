"""Budgets: most dollars that a client key, an account or everything may spend in a day or month, and their spend."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum

from sqlalchemy import delete, insert, select, update

from extension.store.database.database import Transaction
from extension.store.schema.client_tables import BUDGETS
from extension.store.schema.tables import ACCOUNTS, API_KEY_ALIASES

_ROW = BUDGETS.c


class BudgetScope(StrEnum):
    """Requests that a budget is for."""

    ALL = "all"
    CLIENT = "client"
    ACCOUNT = "account"


class BudgetPeriod(StrEnum):
    """Period of a budget, by UTC."""

    DAY = "day"
    MONTH = "month"


@dataclass(frozen=True, slots=True)
class BudgetTerms:
    """Terms of a budget; `subject` is the fingerprint of a client key or the number of an account, else empty.

    With `revokes` the client key is revoked once the budget is spent.
    """

    scope: BudgetScope
    subject: str
    period: BudgetPeriod
    pico_usd: int
    revokes: bool


@dataclass(frozen=True, slots=True)
class BudgetRecord(BudgetTerms):
    """A stored budget; `reported_percent` was reported in the period that begins at `reported_period` (ms UTC)."""

    id: int
    reported_percent: int
    reported_period: int
    set_by: str
    set_at: int


def put(transaction: Transaction, pool_id: int, terms: BudgetTerms, actor: str, now: int) -> None:
    """Store a budget in place of the one of the same requests and period; it is reported anew."""
    same = (_ROW[name] == getattr(terms, name) for name in ("scope", "subject", "period"))
    transaction.execute(delete(BUDGETS).where(_ROW.pool_id == pool_id, *same))
    unreported = {"reported_percent": 0, "reported_period": 0}
    transaction.execute(
        insert(BUDGETS).values(pool_id=pool_id, **asdict(terms), **unreported, set_by=actor, set_at=now)
    )


def remove(transaction: Transaction, pool_id: int, budget_id: int) -> bool:
    """Forget a budget; false when it is not known."""
    query = delete(BUDGETS).where(_ROW.pool_id == pool_id, _ROW.id == budget_id)
    return transaction.execute(query).rowcount > 0


def every(transaction: Transaction, pool_id: int) -> Sequence[BudgetRecord]:
    """Return the budgets of a pool, the oldest first."""
    columns = (_ROW[name] for name in BudgetRecord.__dataclass_fields__)
    rows = transaction.execute(select(*columns).where(_ROW.pool_id == pool_id).order_by(_ROW.id)).all()
    return tuple(BudgetRecord(BudgetScope(row[0]), row[1], BudgetPeriod(row[2]), *row[3:]) for row in rows)


def note_reported(transaction: Transaction, budget_id: int, percent: int, period: int) -> None:
    """Store what was reported of a budget."""
    values = {"reported_percent": percent, "reported_period": period}
    transaction.execute(update(BUDGETS).where(_ROW.id == budget_id).values(values))


def account(transaction: Transaction, pool_id: int, number: int) -> tuple[str, str] | None:
    """Return the gateway's index and the name of an account; None where there is none."""
    query = select(ACCOUNTS.c.auth_index, ACCOUNTS.c.display_name)
    row = transaction.execute(query.where(ACCOUNTS.c.pool_id == pool_id, ACCOUNTS.c.id == number)).first()
    return None if row is None else (row[0], row[1])


def client_name(transaction: Transaction, fingerprint: str) -> str:
    """Return the alias of a client key, or else its fingerprint."""
    query = select(API_KEY_ALIASES.c.alias).where(API_KEY_ALIASES.c.fingerprint == fingerprint)
    return transaction.execute(query).scalar() or fingerprint
