import pytest

from adapter.rules.client_address import counted_as, is_this_machine


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:0:1:2:3:4:5", "2001:db8:0:1::/64"),
        ("", ""),
        ("unix", ""),
    ],
)
def test_a_client_is_counted_by_its_network(address: str, counted: str) -> None:
    assert counted_as(address) == counted


def test_only_the_two_loopback_addresses_are_this_machine() -> None:
    assert [is_this_machine(address) for address in ("127.0.0.1", "::1", "::ffff:127.0.0.1")] == [True] * 3
    assert [is_this_machine(address) for address in ("127.0.0.2", "localhost", "", "192.0.2.1")] == [False] * 4
