"""Differences of runs as answered."""

from typing import Self

from extension.api.payloads.payload import Payload
from extension.api.payloads.reason import ReasonView
from extension.engine.history.comparison import Changed, Difference
from extension.store.records import ResultRecord


class PictureView(Payload):
    """The result of an account in short; `reasons` are the codes of its reason."""

    verdict: str
    action: str
    enabled: bool | None
    status: int | None
    reason: str
    reasons: tuple[ReasonView, ...]

    @classmethod
    def of(cls, result: ResultRecord) -> Self:
        """Show a result in short."""
        return cls.showing(result, reason=result.reason.text, reasons=ReasonView.all_of(result.reason))


class ChangeView(Payload):
    """An account that differs; `before` is null when it is new in this run, `after` when it is not in it any more."""

    account: int
    display_name: str
    key_hint: str
    place: str
    before: PictureView | None
    after: PictureView | None

    @classmethod
    def of(cls, change: Changed) -> Self:
        """Show an account that is in both runs."""
        return cls.between(change.before, change.after)

    @classmethod
    def between(cls, before: ResultRecord | None, after: ResultRecord | None) -> Self:
        """Show an account that is in one of the runs, or in both."""
        shown = after or before
        if shown is None:
            raise ValueError("A change has one side at least.")
        return cls(
            account=shown.account_id,
            display_name=shown.display_name,
            key_hint=shown.key_hint,
            place=shown.place,
            before=PictureView.of(before) if before else None,
            after=PictureView.of(after) if after else None,
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
    def of(cls, found: Difference) -> Self:
        """Show a difference: changed accounts, then new ones, then missing ones."""
        return cls(
            run=found.run_id,
            against=found.against,
            covered=found.covered,
            changes=(
                *(ChangeView.of(change) for change in found.changed),
                *(ChangeView.between(None, result) for result in found.appeared),
                *(ChangeView.between(result, None) for result in found.gone),
            ),
        )
