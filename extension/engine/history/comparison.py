"""Differences between the results of two runs; pure."""

from collections.abc import Iterable
from dataclasses import dataclass

from extension.store.records import ResultRecord, RunRecord


@dataclass(frozen=True, slots=True)
class Changed:
    """Account with a changed verdict, recommendation or state."""

    before: ResultRecord
    after: ResultRecord


@dataclass(frozen=True, slots=True)
class Difference:
    """Changes from one run to a later one; `against` is None without a run to compare with."""

    run_id: int
    against: int | None
    changed: tuple[Changed, ...] = ()
    appeared: tuple[ResultRecord, ...] = ()
    gone: tuple[ResultRecord, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether the runs agree on every account."""
        return not (self.changed or self.appeared or self.gone)


def comparable(run: RunRecord, earlier: RunRecord) -> bool:
    """Say whether an earlier run looked at the same part of the pool, and at all of it."""
    scope = ("accountSource", "targetType", "providerFilter")
    alike = all(run.settings.get(name) == earlier.settings.get(name) for name in scope)
    whole = not earlier.settings.get("sampleSize") and earlier.done == earlier.total
    return alike and whole and earlier.id < run.id


def difference(run_id: int, against: int, before: Iterable[ResultRecord], after: Iterable[ResultRecord]) -> Difference:
    """Compare the results of two runs, account by account, in the order of the later one."""
    old = {result.account_id: result for result in before}
    new = {result.account_id: result for result in after}
    return Difference(
        run_id,
        against,
        tuple(
            Changed(old[number], result)
            for number, result in new.items()
            if number in old and _picture(old[number]) != _picture(result)
        ),
        tuple(result for number, result in new.items() if number not in old),
        tuple(result for number, result in old.items() if number not in new),
    )


def _picture(result: ResultRecord) -> tuple[str, str, bool | None]:
    return result.verdict, result.action, result.enabled
