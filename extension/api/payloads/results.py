"""Results of runs and their differences, as answered."""

from typing import Self

from extension.api.payloads.payload import Payload, ReasonView
from extension.engine.history.comparison import Difference
from extension.store.records import ResultRecord


class AttemptView(Payload):
    """One request of a probe; `status` 0 means that no answer came, and `problem` says why."""

    method: str
    url: str
    status: int
    latency_ms: int
    problem: str


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


class ResultView(Payload):
    """The judged probe of one account, with its evidence.

    `seq` is the cursor of the list of results. `reason` phrases the codes in `reasons`. `status` is the upstream's HTTP
    status, 0 when no answer came and null when no probe was sent. `preview` is redacted, and empty where the answer was
    200; attempts, headers and preview are those of `evidenceAt`, which an unchanged result shares. `windows` are those
    of an OAuth file's quota; `resetsAt` is when a file that they stop is usable again, null when unknown.
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
    evidence_at: int
    windows: tuple[WindowView, ...]
    resets_at: int | None

    @classmethod
    def of(cls, record: ResultRecord) -> Self:
        """Show a stored result."""
        return cls.showing(
            record,
            attempts=tuple(AttemptView.showing(attempt) for attempt in record.attempts),
            windows=tuple(WindowView.showing(window) for window in record.windows),
        )


class ResultsAnswer(Payload):
    """A page of results; ask again with `after=next` for those that follow."""

    results: tuple[ResultView, ...]
    next: int


class PictureView(Payload):
    """The result of an account in short; `reasons` are the codes of its reason."""

    verdict: str
    action: str
    enabled: bool | None
    status: int | None
    reason: str
    reasons: tuple[ReasonView, ...]


class ChangeView(Payload):
    """An account that differs; `before` is null when it is new in this run, `after` when it is not in it any more."""

    account: int
    display_name: str
    key_hint: str
    place: str
    before: PictureView | None
    after: PictureView | None

    @classmethod
    def between(cls, before: ResultRecord | None, after: ResultRecord | None) -> Self:
        """Show an account that is in one of the runs, or in both."""
        shown = after or before
        if shown is None:
            raise ValueError("A change has one side at least.")
        return cls.showing(
            shown,
            before=PictureView.showing(before) if before else None,
            after=PictureView.showing(after) if after else None,
        )


class DifferenceAnswer(Payload):
    """Changes since an earlier run; `against` is null when none covered the same accounts.

    `covered` counts the accounts with a result in both runs: only they are compared.
    """

    run: int
    against: int | None
    covered: int
    changes: tuple[ChangeView, ...]

    @classmethod
    def of(cls, difference: Difference) -> Self:
        """Show a difference: changed accounts, then new ones, then missing ones."""
        return cls.showing(
            difference,
            changes=(
                *(ChangeView.between(change.before, change.after) for change in difference.changed),
                *(ChangeView.between(None, result) for result in difference.appeared),
                *(ChangeView.between(result, None) for result in difference.gone),
            ),
        )
