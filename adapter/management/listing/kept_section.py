"""Section as it was read last, from which the next reading is made when its answer has not changed. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from adapter.management.listing.key_activity import KeyActivity
from adapter.port import Account
from adapter.rules.entries import KeyRecord


@dataclass(frozen=True, slots=True)
class KeptSection:
    """Accounts of a section with the mark of the answer they were made from, and the counters they show.

    Making ten thousand of them takes most of a second, and a pool that is read again and again rarely changes.
    """

    mark: str
    activity: KeyActivity
    records: Sequence[KeyRecord] = field(repr=False)
    accounts: tuple[Account, ...] = field(repr=False)

    def with_activity(self, activity: KeyActivity) -> "KeptSection":
        """Return it with the counters of now; an account whose counters are as before stays the same object."""
        if activity == self.activity:
            return self
        accounts = tuple(
            account if account.activity == counted else replace(account, activity=counted)
            for account, counted in zip(self.accounts, activity.of(self.records), strict=True)
        )
        return replace(self, activity=activity, accounts=accounts)
