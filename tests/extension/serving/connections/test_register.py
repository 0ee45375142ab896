"""Choice of the connection that gives way."""

from hypothesis import given
from hypothesis import strategies as st

from extension.serving.connections.limits import limits_within, outbound_within
from extension.serving.connections.register import ConnectionRegister


class Closed:
    def __init__(self) -> None:
        self.closed = False

    def give_way(self) -> None:
        self.closed = True


def test_a_flood_from_one_client_closes_connections_of_that_client() -> None:
    register = ConnectionRegister(10, 8)
    quiet = Closed()
    register.admit(quiet, "192.0.2.1")
    flood = [Closed() for _ in range(100)]
    for connection in flood:
        register.admit(connection, "2001:db8::" + format(id(connection) % 65_535, "x"))
    assert not quiet.closed
    assert len(register) <= 10


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["new", "busy", "idle", "gone"])), max_size=200))
def test_the_limits_hold_whatever_happens(steps: list[tuple[str, str]]) -> None:
    register = ConnectionRegister(6, 4)
    held: list[Closed] = []
    for host, step in steps:
        if step == "new":
            connection = Closed()
            if register.admit(connection, host):
                held.append(connection)
        elif held and step == "busy":
            register.mark_busy(held[-1])
        elif held and step == "idle":
            register.mark_idle(held[0])
        elif held:
            register.remove(held.pop())
        held = [each for each in held if not each.closed]
        assert len(register) == len(held) <= 6


def test_limits_leave_descriptors_for_the_other_side_and_for_files() -> None:
    for descriptors in (64, 256, 1_024, 65_536, 1_048_576):
        limits = limits_within(descriptors)
        assert limits.idle <= limits.connections
        assert outbound_within(descriptors) >= 1
        if descriptors >= 256:
            assert limits.connections + outbound_within(descriptors) < descriptors - 32
