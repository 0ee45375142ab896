import ipaddress

import pytest

from gateway.internal.outbound.failure import AddressBlocked
from gateway.internal.outbound.guard import Guard, guard_of, is_public


@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.0",
        "10.1.2.3",
        "100.100.100.200",
        "127.0.0.1",
        "168.63.129.16",
        "169.254.169.254",
        "172.16.0.1",
        "192.0.0.9",
        "192.0.0.192",
        "192.88.99.1",
        "192.168.1.1",
        "198.18.0.1",
        "224.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::ffff:10.0.0.1",
        "64:ff9b::a00:1",
        "64:ff9b:1::a00:1",
        "::127.0.0.1",
        "2002:a00:1::",
        "fd00:ec2::254",
        "fe80::1",
        "fec0::1",
        "3fff::1",
        "ff02::1",
    ],
)
def test_inner_addresses_are_not_public(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700::1111", "64:ff9b::808:808", "::ffff:8.8.8.8"])
def test_addresses_of_the_internet_are_public(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


def test_a_configured_base_address_is_trusted_at_its_port_only() -> None:
    guard = guard_of(["http://127.0.0.1:9911/v1"], [])
    assert guard.trusts("127.0.0.1", 9911)
    with pytest.raises(AddressBlocked):
        guard.trusts("127.0.0.1", 9912)


def test_a_base_address_without_port_means_the_usual_one() -> None:
    guard = guard_of(["https://Models.internal/v1"], [])
    assert guard.trusts("models.INTERNAL", 443)
    assert not guard.trusts("models.internal", 80)


@pytest.mark.parametrize("host", ["169.254.169.254", "10.0.0.1", "::1", "fe80::1%eth0"])
def test_a_literal_inner_address_is_blocked(host: str) -> None:
    with pytest.raises(AddressBlocked, match="is not a public address"):
        Guard().trusts(host, 80)


def test_the_allow_list_takes_networks_hosts_and_places() -> None:
    guard = guard_of([], ["10.1.0.0/16", "box.internal", "192.168.0.5:8080", "", "[fd00::1]:81"])
    assert not guard.trusts("10.1.2.3", 80)
    assert guard.allows("10.1.2.3")
    assert guard.trusts("BOX.internal", 1234)
    assert guard.trusts("192.168.0.5", 8080)
    assert guard.trusts("fd00::1", 81)
    assert not guard.allows("10.2.0.1")
