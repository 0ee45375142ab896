from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extension.engine.history.comparison import comparable, difference
from extension.reasons.reason import NO_REASON
from extension.store.records import ResultRecord, RunRecord
from extension.store.run_state import RunState
from tests.extension.store.rows import a_result


def a_run(number: int, count: int = 0, **settings: Any) -> RunRecord:
    return RunRecord(
        id=number,
        pool_id=1,
        state=RunState.FINISHED,
        account_source=settings.get("accountSource", "api_key"),
        target_type=settings.get("targetType", "all"),
        settings=settings,
        total=count,
        done=count,
        verdicts={},
        recommendations={},
        started_at=0,
        finished_at=1,
        started_by="anna",
        reason=NO_REASON,
        gateway_seconds_per_call=None,
    )


def landed(run: int, verdicts: dict[int, str]) -> list[ResultRecord]:
    made = [a_result(run, number, verdict) for number, verdict in verdicts.items()]
    return [
        ResultRecord(**{name: getattr(result, name) for name in result.__dataclass_fields__}, seq=place)
        for place, result in enumerate(made)
    ]


def test_a_sampled_run_differs_only_in_the_accounts_it_looked_at() -> None:
    before = landed(1, dict.fromkeys(range(1000), "healthy"))
    after = landed(2, {1: "healthy", 2: "invalid_key", 3: "healthy"})

    changes = difference(a_run(2, 3, sampleSize=3), a_run(1, 1000), before, after)

    assert [change.after.account_id for change in changes.changed] == [2]
    assert (changes.covered, changes.appeared, changes.gone) == (3, (), ())


def test_accounts_are_new_or_gone_between_two_complete_runs_of_the_same_scope() -> None:
    before, after = landed(1, {1: "healthy", 2: "healthy"}), landed(2, {2: "healthy", 3: "healthy"})

    changes = difference(a_run(2, 2), a_run(1, 2), before, after)

    assert [result.account_id for result in changes.appeared] == [3]
    assert [result.account_id for result in changes.gone] == [1]


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        (a_run(1, 2, sampleSize=2), a_run(2, 2, sampleSize=2)),
        (replace(a_run(1, 9), done=2), replace(a_run(2, 9), done=2)),
        (a_run(1, 2, targetType="claude"), a_run(2, 2, targetType="codex")),
        (a_run(1, 2, providerFilter="a"), a_run(2, 2, providerFilter="b")),
        (a_run(1, 2, accountSource="oauth"), a_run(2, 2)),
        (
            a_run(1, 2, accountSource="oauth", autoActionMode="strategy5"),
            a_run(2, 2, accountSource="oauth", autoActionMode="strategy5"),
        ),
    ],
)
def test_no_account_is_new_or_gone_where_a_run_did_not_survey_the_scope_of_the_other(
    earlier: RunRecord, later: RunRecord
) -> None:
    changes = difference(
        later, earlier, landed(1, {1: "healthy", 2: "healthy"}), landed(2, {2: "healthy", 3: "healthy"})
    )

    assert changes.is_empty
    assert changes.covered == 1


def test_an_account_that_was_not_probed_differs_only_in_its_state() -> None:
    before, after = landed(1, {1: "healthy", 2: "healthy"}), landed(2, {1: "skipped", 2: "skipped"})
    after[1] = replace(after[1], enabled=False)

    changes = difference(a_run(2, 2), a_run(1, 2), before, after)

    assert [change.after.account_id for change in changes.changed] == [2]


@given(
    st.dictionaries(st.integers(0, 30), st.sampled_from(["healthy", "invalid_key"])),
    st.sets(st.integers(0, 30)),
)
def test_a_sample_of_an_unchanged_pool_never_differs(pool: dict[int, str], drawn: set[int]) -> None:
    sample = {number: verdict for number, verdict in pool.items() if number in drawn}

    changes = difference(a_run(2, len(sample), sampleSize=5), a_run(1, len(pool)), landed(1, pool), landed(2, sample))

    assert changes.is_empty
    assert changes.covered == len(sample)


@pytest.mark.parametrize(
    ("earlier", "later", "holds"),
    [
        (a_run(1, 5), a_run(2, 3, sampleSize=3), True),
        (a_run(1, 5, sampleSize=5), a_run(2, 5), False),
        (replace(a_run(1, 5), done=4), a_run(2, 5), False),
        (a_run(1, 5), a_run(2, 3, targetType="claude"), True),
        (a_run(1, 5, targetType="claude"), a_run(2, 3), False),
        (a_run(1, 5, providerFilter="a"), a_run(2, 3), False),
        (a_run(3, 5), a_run(2, 5), False),
    ],
)
def test_a_run_is_compared_with_a_complete_one_of_its_scope(earlier: RunRecord, later: RunRecord, holds: bool) -> None:
    assert comparable(later, earlier) is holds
