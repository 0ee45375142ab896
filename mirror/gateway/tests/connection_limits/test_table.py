from hypothesis import given
from hypothesis import strategies as st

from gateway.connection_limits.table import ConnectionTable


class Connection:
    def __init__(self) -> None:
        self.gave_way = False

    def give_way(self) -> None:
        self.gave_way = True


def opened(table: ConnectionTable, host: str, number: int) -> list[Connection]:
    connections = [Connection() for _ in range(number)]
    taken = [table.opened(connection, host) for connection in connections]
    assert all(taken)
    return connections


def test_beyond_the_limit_the_longest_idle_connection_gives_way() -> None:
    table = ConnectionTable(most=3, most_idle=3)
    first, *others = opened(table, "192.0.2.1", 4)
    assert first.gave_way
    assert not any(connection.gave_way for connection in others)
    assert len(table) == 3


def test_idle_connections_have_a_limit_of_their_own() -> None:
    table = ConnectionTable(most=100, most_idle=5)
    opened(table, "192.0.2.1", 50)
    assert (len(table), table.idle) == (5, 5)


def test_a_connection_with_a_request_in_progress_never_gives_way() -> None:
    table = ConnectionTable(most=3, most_idle=3)
    busy = opened(table, "192.0.2.1", 3)
    for connection in busy:
        table.works(connection)
    assert not table.opened(Connection(), "192.0.2.1")
    assert not any(connection.gave_way for connection in busy)


def test_a_flood_from_one_client_costs_that_client_its_connections() -> None:
    table = ConnectionTable(most=40, most_idle=20)
    (quiet,) = opened(table, "192.0.2.9", 1)
    flood = opened(table, "192.0.2.1", 400)
    assert not quiet.gave_way
    assert sum(not connection.gave_way for connection in flood) == 19


def test_a_flood_from_one_64_is_that_of_one_client() -> None:
    table = ConnectionTable(most=40, most_idle=20)
    (quiet,) = opened(table, "192.0.2.9", 1)
    for number in range(400):
        opened(table, f"2001:db8::{number:x}", 1)
    assert not quiet.gave_way


def test_a_connection_that_rests_again_counts_as_the_newest() -> None:
    table = ConnectionTable(most=2, most_idle=2)
    first, second = opened(table, "192.0.2.1", 2)
    table.works(first)
    table.rests(first)
    opened(table, "192.0.2.1", 1)
    assert (first.gave_way, second.gave_way) == (False, True)


def test_a_connection_that_was_closed_is_no_longer_counted() -> None:
    table = ConnectionTable(most=2, most_idle=2)
    first, second = opened(table, "192.0.2.1", 2)
    table.closed(first)
    table.closed(first)
    table.rests(first)
    opened(table, "192.0.2.1", 1)
    assert not second.gave_way
    assert len(table) == 2


Steps = st.lists(st.tuples(st.sampled_from(["open", "work", "rest", "close"]), st.integers(0, 30), st.integers(0, 3)))


@given(Steps)
def test_no_sequence_of_events_exceeds_a_limit_or_ends_a_request(steps: list[tuple[str, int, int]]) -> None:
    table = ConnectionTable(most=6, most_idle=4)
    known: list[Connection] = []
    working: set[int] = set()
    for event, which, host in steps:
        if event == "open":
            known.append(Connection())
            table.opened(known[-1], f"192.0.2.{host}")
        elif known:
            place = which % len(known)
            connection = known[place]
            if connection.gave_way:
                continue
            {"work": table.works, "rest": table.rests, "close": table.closed}[event](connection)
            working = working | {place} if event == "work" else working - {place}
        assert len(table) <= 6
        assert table.idle <= 4
        assert not any(known[place].gave_way for place in working)
