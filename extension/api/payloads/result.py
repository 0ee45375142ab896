"""Results of probes as answered."""

from typing import Self

from extension.api.payloads.payload import Payload
from extension.store.records import AttemptRecord, ResultRecord


class AttemptView(Payload):
    """One request of a probe; `status` 0 means that no answer came, and `problem` says why."""

    method: str
    url: str
    status: int
    latency_ms: int
    problem: str

    @classmethod
    def of(cls, record: AttemptRecord) -> Self:
        """Show a stored attempt."""
        return cls(
            method=record.method,
            url=record.url,
            status=record.status,
            latency_ms=record.latency_ms,
            problem=record.problem,
        )


class ResultView(Payload):
    """The judged probe of one account, with its evidence.

    `seq` is the cursor of the list of results. `status` is the upstream's HTTP status, 0 when no answer came and
    null when no probe was sent. `preview` is redacted, and empty where the answer was 200.
    """

    seq: int
    run: int
    account: int
    account_source: str
    family: str
    display_name: str
    provider: str
    base_url: str
    enabled: bool | None
    verdict: str
    action: str
    reason: str
    status: int | None
    latency_ms: int | None
    attempts: tuple[AttemptView, ...]
    preview: str
    headers: dict[str, str]
    at: int

    @classmethod
    def of(cls, record: ResultRecord) -> Self:
        """Show a stored result."""
        return cls(
            seq=record.seq,
            run=record.run_id,
            account=record.account_id,
            account_source=record.account_source,
            family=record.family,
            display_name=record.display_name,
            provider=record.provider,
            base_url=record.base_url,
            enabled=record.enabled,
            verdict=record.verdict,
            action=record.action,
            reason=record.reason,
            status=record.status,
            latency_ms=record.latency_ms,
            attempts=tuple(AttemptView.of(attempt) for attempt in record.attempts),
            preview=record.preview,
            headers=dict(record.headers),
            at=record.at,
        )


class ResultsAnswer(Payload):
    """A page of results; ask again with `after=next` for those that follow."""

    results: tuple[ResultView, ...]
    next: int
