"""Pools that a console keeps in memory."""

from extension.serving.fleet.recent_pools import RecentPools


def used(*names: str) -> RecentPools:
    recent = RecentPools(2)
    for name in names:
        with recent.request(name):
            pass
    return recent


def test_the_pools_used_last_are_kept_and_the_others_are_named_once() -> None:
    recent = used("a", "b", "c", "d", "b")
    assert recent.take_idle() == {"a", "c"}
    assert recent.take_idle() == frozenset()


def test_a_pool_is_kept_while_a_request_to_it_lasts() -> None:
    recent = used("a", "b")
    with recent.request("long"):
        for name in ("c", "d"):
            with recent.request(name):
                pass
        assert recent.take_idle() == {"a", "b"}
    assert recent.take_idle() == {"long"}
