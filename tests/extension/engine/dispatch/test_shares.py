import pytest

from extension.engine.dispatch.shares import capacity, slots, surplus, wakes
from extension.store.workers import WorkerRecord

SIZES = dict.fromkeys(range(20), 240)


@pytest.mark.parametrize(
    ("workers", "most_accounts", "expected"),
    [(1, 10**6, 21), (4, 10**6, 6), (3, 10**6, 8), (0, 10**6, 21), (4, 480, 2), (4, 10, 1)],
    ids=["alone", "of four", "of three", "not yet heard of", "little memory", "no memory"],
)
def test_a_worker_has_its_share_and_one_more_as_far_as_memory_goes(
    workers: int, most_accounts: int, expected: int
) -> None:
    assert slots(SIZES, workers, most_accounts) == expected


@pytest.mark.parametrize(
    ("visits", "room", "given_back"),
    [
        ({1: True, 2: True}, 2, []),
        ({1: True, 2: False, 3: True}, 2, [1]),
        ({1: False, 2: False}, 1, []),
        ({1: True, 2: True, 3: False}, 1, [1, 2]),
    ],
    ids=["in its share", "one above", "what runs stays", "only what rests"],
)
def test_a_worker_above_its_share_gives_back_what_rests(
    visits: dict[int, bool], room: int, given_back: list[int]
) -> None:
    assert list(surplus(visits, room)) == given_back


def test_the_oldest_worker_wakes_the_gateways() -> None:
    workers = [WorkerRecord(name, name, "1", 1, (), 1) for name in ("a", "b")]
    assert [wakes(name, workers) for name in ("a", "b", "c")] == [True, False, False]
    assert not wakes("a", [])


def test_the_limit_of_a_container_bounds_the_capacity(tmp_path_factory: pytest.TempPathFactory) -> None:
    limit = tmp_path_factory.mktemp("cgroup") / "memory.max"
    limit.write_text("100000000\n")
    assert capacity([str(limit)]) == 25_000
    limit.write_text("max\n")
    assert capacity([str(limit)]) == capacity([]) > 25_000
