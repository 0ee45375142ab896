"""Errors of the store after changes of a batch have left: they say so.

Theory of operation. A database can go away at any step: while the pool is read back, while a part is settled, before
the next part, at the end of the batch. Each refusal is true by itself, and reads as "nothing was done". So it is
translated in one place, by the number of changes that the gateway has been given.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from extension.store.errors import LeaseExpired, OutcomesNotStored, StoreError


@contextmanager
def telling_of_sent(counted: Callable[[], int], planned: int) -> Iterator[None]:
    """Have every error of the store say that changes were sent, once some were; `counted` says how many ever were.

    Raises:
        OutcomesNotStored: changes were sent, and the database refuses.
        LeaseExpired: changes were sent, and another process has taken over.
    """
    before = counted()
    try:
        yield
    except StoreError as error:
        sent = counted() - before
        if not sent:
            raise
        if isinstance(error, LeaseExpired):
            told = f"{sent} of {planned} changes were sent" if sent < planned else "The changes were sent"
            text = f"{told}. Another process has taken over, and records their results: look there before you repeat"
            raise LeaseExpired(f"{text} the request.") from error
        raise OutcomesNotStored(error, sent=sent, planned=planned) from error
