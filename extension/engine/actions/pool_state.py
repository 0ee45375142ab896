"""Pool as read for a command, and the requests of the command on it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from extension.engine.actions.change_plan import Known
from extension.engine.actions.ownership import DELETE
from extension.engine.actions.requests import ActionRequest, ResolvedRequest
from extension.engine.errors import DeleteRefused
from extension.engine.pool.listed_account import ListedAccount
from extension.inspection.accounts.account import Source
from extension.store.records import AccountRecord


@dataclass(frozen=True, slots=True)
class PoolState:
    """Stored accounts, the pool as just read, and the stored knowledge that plans rest on."""

    records: Mapping[int, AccountRecord]
    listed: Mapping[int, ListedAccount]
    known: Known

    def resolved(self, orders: Sequence[ActionRequest]) -> list[ResolvedRequest]:
        """Return requests with their accounts."""
        numbers = [order.account_id for order in orders]
        return [
            ResolvedRequest(order, self.records[number], self.listed.get(number))
            for order, number in zip(orders, numbers, strict=True)
        ]


def first_of_each(orders: Sequence[ActionRequest]) -> list[ActionRequest]:
    """Return the first request for each account, in the order given."""
    distinct = {order.account_id: order for order in reversed(orders)}
    return [distinct[number] for number in dict.fromkeys(order.account_id for order in orders)]


def refuse_deletions(asked: Sequence[ResolvedRequest]) -> None:
    """Check that nothing but OAuth files is to be deleted.

    Raises:
        DeleteRefused: an account is an API key.
    """
    refused = tuple(each.record.facts.display_name for each in asked if each.order.action == DELETE and _is_key(each))
    if refused:
        raise DeleteRefused(refused)


def _is_key(asked: ResolvedRequest) -> bool:
    listed = asked.listed
    return asked.record.facts.source != Source.OAUTH or (listed is not None and listed.file is None)
