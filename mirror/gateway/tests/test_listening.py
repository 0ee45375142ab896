import socket

import pytest

from gateway.internal.serving import ListenError, address_of, listen


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_free_port_is_opened_and_named(host: str) -> None:
    with listen(host, 0) as listener:
        port = listener.getsockname()[1]
        assert address_of(listener, "http").endswith(f":{port}")


def test_an_empty_host_listens_on_every_interface() -> None:
    with listen("", 0) as listener:
        port = listener.getsockname()[1]
        socket.create_connection(("127.0.0.1", port)).close()
        assert address_of(listener, "http") == f"http://127.0.0.1:{port}"


def test_a_port_in_use_is_one_clear_line() -> None:
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ListenError) as caught:
            listen("127.0.0.1", port)
    assert str(caught.value) == (
        f"port {port} of 127.0.0.1 is already in use: "
        "stop what listens there, or set another `port` in the configuration"
    )


@pytest.mark.parametrize(
    ("host", "port", "says"),
    [
        ("192.0.2.1", 0, "set `host` to an address of this machine"),
        ("no-such-host.invalid", 0, "set `host` to an address of this machine"),
        ("127.0.0.1", 70000, "set a `port` from 0 to 65535"),
    ],
)
def test_what_cannot_be_listened_on_says_what_to_do(host: str, port: int, says: str) -> None:
    with pytest.raises(ListenError, match=says):
        listen(host, port)
