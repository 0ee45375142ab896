import socket
from pathlib import Path

import pytest

from tests.loopback import GUARD, is_local
from tests.system.process import NOBODY, vendors_replaced


@pytest.mark.parametrize(
    "host", [None, "", "localhost", "LOCALHOST", "127.0.0.1", "127.9.9.9", "::1", b"::1", "0.0.0.0"]
)
def test_this_machine_is_local(host: object) -> None:
    assert is_local(host)


@pytest.mark.parametrize("host", ["api.vendor.example", "10.0.0.1", "192.168.1.1", "8.8.8.8", "2001:db8::1", b"a.b"])
def test_anything_else_is_not(host: object) -> None:
    assert not is_local(host)


def test_a_connection_or_a_look_up_beyond_this_machine_is_refused_and_remembered() -> None:
    with pytest.raises(ConnectionRefusedError, match="leave this machine"):
        socket.getaddrinfo("api.vendor.example", 443)
    with pytest.raises(ConnectionRefusedError, match="leave this machine"):
        socket.create_connection(("192.0.2.1", 443))

    assert GUARD.taken() == ["api.vendor.example", "192.0.2.1"]


def test_a_service_that_a_test_starts_asks_a_stand_in_even_if_its_configuration_names_none(tmp_path: Path) -> None:
    plain, demo = tmp_path / "plain.yaml", tmp_path / "demo.yaml"
    plain.write_text("port: 1\n", encoding="utf-8")
    demo.write_text("plugins: {configs: {poolkeeper: {vendor-stand-in: http://127.0.0.1:2}}}\n", encoding="utf-8")

    assert vendors_replaced(["--config", str(plain)]) == {"POOLKEEPER_VENDOR_STAND_IN": NOBODY}
    assert vendors_replaced(["--config", str(demo)]) == {}
