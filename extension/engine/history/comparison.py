"""Differences between the results of two runs; pure.

Theory of operation. An account is compared when both runs hold a result for it: a run with a sample, a narrower scope
or an early end says nothing about the rest of the pool. An account with a result in one of the runs only is new or gone
when the other run surveyed the whole scope of the first. A run that did not send a probe to an account (excluded from
checks, or skipped for its healthy traffic) knows its state but not its health, so only the state is compared.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from extension.inspection.accounts.account import Source
from extension.inspection.accounts.families import Family
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.policy.strategy import STRATEGIES
from extension.inspection.settings import AutoActionMode
from extension.store.records import ResultRecord, RunRecord


@dataclass(frozen=True, slots=True)
class Changed:
    """Account with a changed verdict, recommendation or state."""

    before: ResultRecord
    after: ResultRecord


@dataclass(frozen=True, slots=True)
class Difference:
    """Changes from one run to a later one; `against` is None without a run to compare with.

    `covered` counts the accounts with a result in both runs.
    """

    run_id: int
    against: int | None
    covered: int = 0
    changed: tuple[Changed, ...] = ()
    appeared: tuple[ResultRecord, ...] = ()
    gone: tuple[ResultRecord, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Return whether the runs agree on every account that both covered, and none is new or gone."""
        return not (self.changed or self.appeared or self.gone)


def comparable(run: RunRecord, earlier: RunRecord) -> bool:
    """Return whether an earlier run covered the scope of a run, and all of it."""
    state = _probed_state(earlier)
    return earlier.id < run.id and _covers_scope(earlier, run) and (state is None or state is _probed_state(run))


def difference(
    run: RunRecord, earlier: RunRecord, before: Iterable[ResultRecord], after: Iterable[ResultRecord]
) -> Difference:
    """Compare the results of two runs, account by account, in the order of the later one."""
    old = {result.account_id: result for result in before}
    new = {result.account_id: result for result in after}
    both = [(old[number], result) for number, result in new.items() if number in old]
    appeared = tuple(result for number, result in new.items() if number not in old)
    gone = tuple(result for number, result in old.items() if number not in new)
    return Difference(
        run.id,
        earlier.id,
        len(both),
        tuple(Changed(first, second) for first, second in both if _differ(first, second)),
        appeared if _surveyed(earlier, run) else (),
        gone if _surveyed(run, earlier) else (),
    )


def _surveyed(run: RunRecord, other: RunRecord) -> bool:
    """Return whether a run looked at every account in the scope of another, whatever its state."""
    return _probed_state(run) is None and _covers_scope(run, other)


def _covers_scope(run: RunRecord, other: RunRecord) -> bool:
    if run.settings.get("sampleSize") or run.done != run.total or run.account_source != other.account_source:
        return False
    family = run.target_type in {Family.ALL.value, other.target_type}
    provider_filter = _provider_filter(run)
    return family and (not provider_filter or provider_filter == _provider_filter(other))


def _provider_filter(run: RunRecord) -> str:
    return str(run.settings.get("providerFilter") or "").strip().lower()


def _probed_state(run: RunRecord) -> bool | None:
    """Return the state of the accounts that the mode of a run probes; None for every state."""
    mode = run.settings.get("autoActionMode") or AutoActionMode.NONE
    row = STRATEGIES.get((Source(run.account_source), AutoActionMode(mode)))
    return row.probes if row is not None else None


def _differ(before: ResultRecord, after: ResultRecord) -> bool:
    if before.enabled is not after.enabled:
        return True
    if Verdict.SKIPPED.value in {before.verdict, after.verdict}:
        return False
    return (before.verdict, before.action) != (after.verdict, after.action)
