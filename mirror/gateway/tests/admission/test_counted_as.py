import pytest

from gateway.internal.admission.address import counted_as


@pytest.mark.parametrize("address", ["192.0.2.8", "127.0.0.1", ""])
def test_an_address_that_is_one_client_is_counted_as_itself(address: str) -> None:
    assert counted_as(address) == address


@pytest.mark.parametrize("address", ["2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff"])
def test_all_addresses_of_a_64_are_counted_as_one_client(address: str) -> None:
    assert counted_as(address) == "2001:db8:1:2::/64"


def test_the_next_64_is_another_client() -> None:
    assert counted_as("2001:db8:1:3::1") != counted_as("2001:db8:1:2::1")


def test_the_interface_of_a_link_local_address_makes_no_other_client() -> None:
    assert counted_as("fe80::1%eth0") == counted_as("fe80::2%eth1")
