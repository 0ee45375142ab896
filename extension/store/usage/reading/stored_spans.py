"""Division of a period by what is stored of it."""

from extension.store.database.database import Transaction
from extension.store.usage.daily.summed_days import summed_days
from extension.usage.calendar import Period
from extension.usage.spans import Spans, days_within, spans


def stored_spans(transaction: Transaction, pool_id: int, period: Period) -> Spans:
    """Divide a period into days with daily sums, hours, and the rest."""
    return spans(period, summed_days(transaction, pool_id, days_within(period)))
