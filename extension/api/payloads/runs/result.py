"""Results of probes as answered."""

from typing import Self

from extension.api.payloads.payload import Payload
from extension.api.payloads.reason import ReasonView
from extension.store.records import AttemptRecord, ResultRecord, WindowRecord


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
        return cls.showing(record)


class WindowView(Payload):
    """One window of an OAuth file's quota.

    `pool` names the part of the account it belongs to, such as a model; it is empty for the whole account. `used` is in
    percent and null when the vendor does not state it; `threshold` is the percentage from which on it counted as used
    up, null where it stops nothing. `seconds` is its length and `resetsAt` its end, milliseconds UTC.
    """

    name: str
    pool: str
    used: float | None
    threshold: int | None
    seconds: int | None
    resets_at: int | None

    @classmethod
    def of(cls, record: WindowRecord) -> Self:
        """Show a stored window."""
        return cls.showing(record)


class ResultView(Payload):
    """The judged probe of one account, with its evidence.

    `seq` is the cursor of the list of results. `reason` phrases the codes in `reasons`. `status` is the upstream's HTTP
    status, 0 when no answer came and null when no probe was sent. `preview` is redacted, and empty where the answer was
    200. `windows` are those of an OAuth file's quota; `resetsAt` is when a file that they stop is usable again, null
    when unknown.
    """

    seq: int
    run: int
    account: int
    account_source: str
    family: str
    display_name: str
    key_hint: str
    place: str
    provider: str
    base_url: str
    enabled: bool | None
    verdict: str
    action: str
    reason: str
    reasons: tuple[ReasonView, ...]
    status: int | None
    latency_ms: int | None
    attempts: tuple[AttemptView, ...]
    preview: str
    headers: dict[str, str]
    at: int
    windows: tuple[WindowView, ...]
    resets_at: int | None

    @classmethod
    def of(cls, record: ResultRecord) -> Self:
        """Show a stored result."""
        return cls.showing(
            record,
            run=record.run_id,
            reason=record.reason.text,
            reasons=ReasonView.all_of(record.reason),
            account=record.account_id,
            attempts=tuple(AttemptView.of(attempt) for attempt in record.attempts),
            headers=dict(record.headers),
            windows=tuple(WindowView.of(window) for window in record.windows),
        )


class ResultsAnswer(Payload):
    """A page of results; ask again with `after=next` for those that follow."""

    results: tuple[ResultView, ...]
    next: int
