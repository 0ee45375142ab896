"""Health of a pool in figures."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from adapter.port import Account, Switch
from extension.engine.pool.listed_account import ListedAccount
from extension.engine.pool.pool_health import MOST_NAMED, OLD_MS, health_of
from extension.engine.pool.table import PoolRow, RowFilter, filtered, host_of
from extension.inspection.accounts.account import Source
from extension.inspection.evidence.action import Action
from extension.inspection.evidence.verdict import Verdict
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import NO_REASON, because
from extension.store.pool.overview import AccountFlags, LastResult
from extension.store.records import AccountFacts, WindowRecord

NOW = 1_795_000_000_000
PLAIN = AccountFlags(never_probe=False, managed=False)
WINDOW = WindowRecord("5 h", "", 85.0, 100, 18_000, NOW + 1)


def row(
    number: int,
    verdict: str | None = Verdict.HEALTHY.value,
    *,
    host: str = "a.example",
    at: int = NOW,
    enabled: bool | None = True,
    flags: AccountFlags = PLAIN,
    on_hold: bool = False,
    source: Source = Source.API_KEY,
    switch: Switch = Switch.ENTRY,
) -> PoolRow:
    facts = AccountFacts(
        source=source.value,
        fingerprint=str(number),
        auth_index="",
        gateway_id="",
        family="compat",
        display_name=f"account {number}",
        provider="relay",
        label="",
        compat_name="",
        base_url=f"https://{host}/v1",
        file_name="",
    )
    account = Account.__new__(Account)
    object.__setattr__(account, "enabled", enabled)
    object.__setattr__(account, "switch", switch)
    last = None if verdict is None else LastResult(number, 1, number, verdict, "keep", NO_REASON, 200, 10, at, None)
    return PoolRow(ListedAccount(number, source, facts, account), flags, last, None, 1, on_hold)


def advised(number: int, action: Action, *, enabled: bool | None = True, switch: Switch = Switch.ENTRY) -> PoolRow:
    """Return a row whose last result recommends this."""
    plain = row(number, Verdict.INVALID_KEY.value, enabled=enabled, switch=switch)
    assert plain.result is not None
    return replace(plain, result=plain.result._replace(action=action.value))


def test_a_failing_account_that_was_enabled_again_is_recommended_for_disabling() -> None:
    for enabled, count in ((False, 0), (True, 1)):
        advice = advised(1, Action.KEEP, enabled=enabled)
        assert advice.result is not None
        advice = replace(advice, result=advice.result._replace(reason=because(ReasonCode.STAYS_DISABLED)))
        assert len(filtered((advice,), RowFilter(actions=frozenset({Action.DISABLE})))) == count
        assert health_of((advice,), {}, NOW).findings[Source.API_KEY].to_disable == count


def test_an_empty_pool_has_no_figures() -> None:
    health = health_of((), {}, NOW)
    assert (health.hosts, health.on_hold, health.never_checked, health.ending_count) == ((), 0, 0, 0)
    assert health.statuses == {source: {} for source in Source}


def test_hosts_with_the_most_unhealthy_accounts_come_first() -> None:
    rows = [row(number, host="well.example") for number in range(5)]
    rows += [row(number, Verdict.RATE_LIMITED.value, host="storm.example") for number in range(5, 8)]
    health = health_of(rows, {}, NOW)
    assert [(host.host, host.unhealthy, host.total) for host in health.hosts] == [
        ("storm.example", 3, 3), ("well.example", 0, 5),
    ]  # fmt: skip


def test_only_the_worst_hosts_are_named_and_the_rest_is_counted() -> None:
    health = health_of([row(number, host=f"h{number}.example") for number in range(MOST_NAMED + 7)], {}, NOW)
    assert (len(health.hosts), health.hosts_left_off) == (MOST_NAMED, 7)


def test_old_and_missing_results_count_where_a_check_is_possible() -> None:
    excluded = AccountFlags(never_probe=True, managed=False)
    rows = [
        row(1, None),
        row(2, at=NOW - OLD_MS - 1),
        row(3, at=NOW - OLD_MS),
        row(4, None, flags=excluded),
        row(5, None, enabled=False),
        row(6, at=0, enabled=None),
    ]
    health = health_of(rows, {}, NOW)
    assert (health.never_checked, health.old) == (1, 2)


def test_an_expired_and_a_revoked_session_need_a_person() -> None:
    rows = [row(1, Verdict.RELOGIN_NEEDED.value), row(2, Verdict.REVOKED.value), row(3)]
    health = health_of(rows, {}, NOW)
    assert [account.listed.id for account in health.relogin] == [1, 2]
    assert (health.relogin_count, health.revoked_count) == (2, 1)


def test_a_window_is_about_to_end_between_four_fifths_and_its_threshold() -> None:
    shares = {1: 79.9, 2: 80.0, 3: 99.9, 4: 100.0}
    windows = {number: (replace(WINDOW, used=used),) for number, used in shares.items()}
    health = health_of([row(number) for number in shares], windows, NOW)
    assert [quota.row.listed.id for quota in health.ending] == [3, 2]


def test_a_window_that_has_ended_or_reports_nothing_is_none() -> None:
    windows = {1: (replace(WINDOW, resets_at=NOW),), 2: (replace(WINDOW, used=None),), 3: (WINDOW,)}
    rows = [row(1), row(2), row(3, enabled=False)]
    assert health_of(rows, windows, NOW).ending == ()


def test_accounts_of_each_source_are_counted_apart() -> None:
    keys = [row(1, None), row(2, on_hold=True), row(3, at=NOW - OLD_MS - 1)]
    files = [row(4, None, source=Source.OAUTH), row(5, None, source=Source.OAUTH)]

    health = health_of([*keys, *files], {}, NOW)

    of_keys, of_files = health.findings[Source.API_KEY], health.findings[Source.OAUTH]
    assert (of_keys.on_hold, of_keys.never_checked, of_keys.old) == (1, 1, 1)
    assert (of_files.on_hold, of_files.never_checked, of_files.old) == (0, 2, 0)
    assert (of_keys.to_disable, of_keys.to_enable, of_keys.to_delete, of_keys.without_switch) == (0, 0, 0, 0)
    assert (of_files.to_disable, of_files.to_enable, of_files.to_delete, of_files.without_switch) == (0, 0, 0, 0)
    assert (sum(of_keys.enabled.values()), sum(of_files.enabled.values())) == (3, 2)
    assert (health.on_hold, health.never_checked, health.old) == (1, 3, 1)


def test_only_recommendations_that_are_still_open_need_a_person() -> None:
    rows = [
        advised(1, Action.DISABLE),
        advised(2, Action.DISABLE, enabled=False),
        advised(3, Action.DISABLE, enabled=None),
        advised(4, Action.ENABLE),
        advised(5, Action.ENABLE, enabled=False),
        advised(6, Action.DELETE, enabled=False),
        advised(7, Action.KEEP),
    ]

    findings = health_of(rows, {}, NOW).findings[Source.API_KEY]

    assert (findings.to_disable, findings.to_enable, findings.to_delete) == (2, 1, 1)


def test_an_account_on_hold_is_counted_among_the_recommended() -> None:
    on_hold = replace(advised(1, Action.DISABLE), on_hold=True)

    findings = health_of([on_hold, advised(2, Action.DISABLE)], {}, NOW).findings[Source.API_KEY]

    assert (findings.to_disable, findings.on_hold) == (2, 1)


def test_recommendations_for_accounts_without_a_switch_are_counted_as_such() -> None:
    rows = [
        advised(1, Action.DISABLE),
        advised(2, Action.DISABLE, switch=Switch.NONE),
        advised(3, Action.ENABLE, enabled=False, switch=Switch.NONE),
        advised(4, Action.DELETE, switch=Switch.NONE),
        advised(5, Action.KEEP, switch=Switch.NONE),
        replace(advised(6, Action.DISABLE, switch=Switch.NONE), on_hold=True),
    ]

    findings = health_of(rows, {}, NOW).findings[Source.API_KEY]

    assert (findings.to_disable, findings.to_enable, findings.without_switch) == (3, 1, 3)
    ready = (findings.ready_to_disable, findings.ready_to_enable, findings.ready_to_delete)
    assert ready == (1, 0, 1), "what a person can do at once, as the list of accounts plans it"


def test_a_disabled_account_is_not_among_the_enabled_ones() -> None:
    rows = [row(1, Verdict.INVALID_KEY), row(2, Verdict.INVALID_KEY, enabled=False)]
    assert health_of(rows, {}, NOW).findings[Source.API_KEY].enabled == {Verdict.INVALID_KEY: 1}


@given(st.lists(st.tuples(st.sampled_from(["", *Verdict]), st.sampled_from("abc"), st.booleans()), max_size=40))
def test_every_account_counts_once(facts: list[tuple[str, str, bool]]) -> None:
    rows = [row(n, verdict or None, host=host, on_hold=on_hold) for n, (verdict, host, on_hold) in enumerate(facts)]
    health = health_of(rows, {}, NOW)
    assert sum(sum(counts.values()) for counts in health.statuses.values()) == len(rows)
    assert sum(host.total for host in health.hosts) == len(rows)
    assert all(0 <= host.unhealthy <= host.total for host in health.hosts)
    assert {host.host for host in health.hosts} == {host_of(account) for account in rows}
    assert health.on_hold == sum(on_hold for _, _, on_hold in facts)


def test_each_number_of_recommendations_is_that_of_the_list_it_stands_for() -> None:
    rows = [
        advised(1, Action.DISABLE),
        advised(2, Action.DISABLE, enabled=False),
        advised(3, Action.DISABLE, enabled=None),
        advised(4, Action.ENABLE),
        row(5, None),
    ]
    findings = health_of(rows, {}, NOW).findings[Source.API_KEY]
    listed = {action: len(filtered(rows, RowFilter(actions=frozenset({action})))) for action in Action}

    assert (findings.to_disable, findings.to_enable) == (listed[Action.DISABLE], listed[Action.ENABLE]) == (2, 0)
    assert listed[Action.KEEP] == 2
