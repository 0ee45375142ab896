"""Last results of accounts, as answered."""

from extension.api.payloads.payload import Payload
from extension.store.runs.recent_results import RecentResult


class RecentView(Payload):
    """One result of an account, without evidence. `status` is 0 when no answer came, null when no probe was sent."""

    run: int
    at: int
    verdict: str
    status: int | None
    latency_ms: int | None

    @classmethod
    def of(cls, result: RecentResult) -> "RecentView":
        """Return the view of a stored result."""
        return cls(
            run=result.run_id,
            at=result.at,
            verdict=result.verdict,
            status=result.status,
            latency_ms=result.latency_ms,
        )


class RecentAccountView(Payload):
    """Results of one account, the newest first."""

    account: int
    results: tuple[RecentView, ...]


class RecentAnswer(Payload):
    """Accounts that have results; the others are left out."""

    accounts: tuple[RecentAccountView, ...]
