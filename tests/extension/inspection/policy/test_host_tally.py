from hypothesis import given
from hypothesis import strategies as st

from extension.inspection.evidence.verdict import Verdict
from extension.inspection.policy.host_tally import HostTally

TROUBLE, HEALTHY = Verdict.PROVIDER_ERROR, Verdict.HEALTHY


def test_unprobed_accounts_are_no_probes_of_their_host() -> None:
    counted, empty = HostTally(), HostTally()
    for verdict in (TROUBLE, HEALTHY, Verdict.UNKNOWN, TROUBLE):
        counted.add(verdict)
    empty.add(Verdict.NO_BASE_URL)

    assert (counted.probes, empty.probes) == (3, 0)
    assert counted.share(TROUBLE) == 2 / 3
    assert empty.share(TROUBLE) == 0


@given(st.lists(st.booleans(), min_size=1, max_size=40), st.integers(1, 25), st.data())
def test_the_worst_share_is_that_of_the_worst_window_around_a_probe(
    failed: list[bool], width: int, data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(failed) - 1))
    tally = HostTally()
    for each in failed:
        tally.add(TROUBLE if each else HEALTHY)
    windows = [
        failed[first : first + width] for first in range(len(failed) - width + 1) if first <= place < first + width
    ]

    expected = max((sum(window) / width for window in windows), default=sum(failed) / len(failed))

    assert tally.worst_around(place, TROUBLE, width) == expected


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 9)), min_size=1, max_size=30), st.data())
def test_the_closing_probes_are_those_of_one_cause_that_were_sent_last(
    probes: list[tuple[bool, int]], data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(probes) - 1))
    tally = HostTally()
    for failed, sent_at in probes:
        tally.add(TROUBLE if failed else HEALTHY, sent_at=sent_at)
    in_order = sorted(range(len(probes)), key=lambda each: (probes[each][1], each))
    closing: list[int] = []
    for each in reversed(in_order):
        if not probes[each][0]:
            break
        closing.append(each)

    failures = tally.closing(place, TROUBLE)

    if probes[place][0]:
        assert failures == (len(closing) if place in closing else 0)


def test_an_account_before_any_probe_of_its_host_closes_nothing() -> None:
    assert HostTally().closing(-1, TROUBLE) == 0
