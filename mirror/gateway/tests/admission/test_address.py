import ipaddress

import pytest

from gateway.internal.admission.address import canonical, claimed_address, client_address, is_local

TRUSTED = (ipaddress.ip_network("10.0.0.0/8"),)


@pytest.mark.parametrize("address", ["127.0.0.1", "::1"])
def test_loopback_is_local(address: str) -> None:
    assert is_local(address)


@pytest.mark.parametrize("address", ["127.0.0.2", "localhost", "", "192.0.2.1"])
def test_nothing_else_is_local(address: str) -> None:
    assert not is_local(address)


def test_an_address_mapped_into_ipv6_is_written_as_ipv4() -> None:
    assert canonical("::ffff:127.0.0.1") == "127.0.0.1"


def test_without_trusted_proxies_a_forwarded_header_is_ignored() -> None:
    assert client_address("192.0.2.7", {"x-forwarded-for": "127.0.0.1"}, ()) == "192.0.2.7"


def test_a_trusted_proxy_speaks_for_its_client() -> None:
    assert client_address("10.0.0.1", {"x-forwarded-for": "198.51.100.4"}, TRUSTED) == "198.51.100.4"


def test_what_the_client_itself_wrote_before_the_proxy_does_not_count() -> None:
    headers = {"x-forwarded-for": "127.0.0.1, 198.51.100.4"}
    assert client_address("10.0.0.1", headers, TRUSTED) == "198.51.100.4"


def test_a_chain_of_trusted_proxies_is_followed_to_its_end() -> None:
    headers = {"x-forwarded-for": "198.51.100.4, 10.0.0.2"}
    assert client_address("10.0.0.1", headers, TRUSTED) == "198.51.100.4"


@pytest.mark.parametrize("value", ["", "unknown", "198.51.100.4:80x"])
def test_a_trusted_proxy_that_names_no_address_is_the_client_itself(value: str) -> None:
    assert client_address("10.0.0.1", {"x-forwarded-for": value}, TRUSTED) == "10.0.0.1"


def test_a_peer_without_an_address_is_not_local() -> None:
    assert not is_local(client_address(None, {}, ()))


def test_the_stock_rule_believes_anyone() -> None:
    assert claimed_address("192.0.2.7", {"x-forwarded-for": "127.0.0.1, 192.0.2.9"}) == "127.0.0.1"
    assert claimed_address("192.0.2.7", {"x-real-ip": "127.0.0.1"}) == "127.0.0.1"


def test_the_stock_rule_skips_a_header_with_anything_but_addresses() -> None:
    assert claimed_address("192.0.2.7", {"x-forwarded-for": "127.0.0.1, nobody"}) == "192.0.2.7"
