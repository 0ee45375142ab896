import pytest

from gateway.internal.outbound.proxy import DIRECT, Proxy, first_usable, parse_proxy


@pytest.mark.parametrize("text", ["direct", "none", " DIRECT "])
def test_direct_and_none_mean_no_proxy(text: str) -> None:
    assert parse_proxy(text) is DIRECT


@pytest.mark.parametrize(
    ("text", "scheme", "host", "port"),
    [
        ("http://proxy:3128", "http", "proxy", 3128),
        ("https://proxy", "https", "proxy", 443),
        ("socks5://user:pass@proxy:1081", "socks5", "proxy", 1081),
        ("socks5h://proxy", "socks5h", "proxy", 1080),
    ],
)
def test_a_proxy_address_is_read(text: str, scheme: str, host: str, port: int) -> None:
    assert parse_proxy(text) == Proxy(scheme, host, port, text)


@pytest.mark.parametrize("text", ["", "nonsense://x", "http://", "proxy:3128", "http://proxy:port", "http://[::1"])
def test_what_is_no_proxy_address_is_refused(text: str) -> None:
    assert parse_proxy(text) is None


def test_the_first_usable_candidate_wins_and_broken_ones_are_skipped() -> None:
    assert first_usable(["", "nonsense://x", "http://a:1", "http://b:2"]).host == "a"
    assert first_usable(["direct", "http://b:2"]) is DIRECT
    assert first_usable(["", ""]) is DIRECT


def test_a_proxy_does_not_show_its_password() -> None:
    assert "hunter2" not in repr(parse_proxy("http://user:hunter2@proxy:1"))
