"""History of an account's verdicts, for the decision whether a revoked sign-in is certain."""

from collections.abc import Awaitable, Callable, Sequence

from extension.inspection.evidence.verdict import Verdict
from extension.inspection.policy.revocation import PastVerdict
from extension.store.database.database import Database
from extension.store.runs import results

_MOST = 100
"""Earlier results that are looked at: those of so many runs, the newest first."""

VerdictHistory = Callable[[int], Awaitable[Sequence[PastVerdict]]]
"""Function that returns the earlier verdicts of an account, newest first."""


def verdict_history_in(database: Database) -> VerdictHistory:
    """Return a reader of the stored results."""

    async def read(account_id: int) -> Sequence[PastVerdict]:
        found = await database.read(lambda transaction: results.verdicts_of(transaction, account_id, _MOST))
        return tuple(PastVerdict(Verdict(verdict), at) for verdict, at in found)

    return read


async def no_verdict_history(_account_id: int) -> Sequence[PastVerdict]:
    """Know nothing of earlier probes, so that nothing is ever certain."""
    return ()
