"""Recognition of requests that come from other pages than the operator's."""

import pytest

from extension.api.auth.foreign import is_foreign, marked

HOSTS = ("console.example.org",)


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"host": "127.0.0.1:8318"},
        {"host": "[::1]:8318", "origin": "http://[::1]:8318", "sec-fetch-site": "same-origin"},
        {"host": "192.0.2.7", "sec-fetch-site": "none"},
        {"host": "localhost:8318"},
        {"host": "server"},
        {"host": "Console.example.org", "origin": "https://console.example.org"},
    ],
)
def test_the_operator_is_at_home_under_addresses_plain_names_and_those_of_the_settings(headers: dict[str, str]) -> None:
    assert not is_foreign([(name.encode(), value.encode()) for name, value in headers.items()], HOSTS)


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example"},
        {"host": "127.0.0.1.evil.example:8318"},
        {"host": "[::1"},
        {"host": "127.0.0.1:8318", "sec-fetch-site": "same-site"},
        {"host": "127.0.0.1:8318", "sec-fetch-site": "Cross-Site"},
        {"host": "127.0.0.1:8318", "origin": "null"},
        {"host": "127.0.0.1:8318", "origin": "http://127.0.0.1:9000"},
    ],
)
def test_other_pages_and_names_that_anybody_can_point_here_are_foreign(headers: dict[str, str]) -> None:
    assert is_foreign([(name.encode(), value.encode()) for name, value in headers.items()], HOSTS)


def test_the_mark_replaces_what_was_claimed() -> None:
    assert marked([(b"sec-fetch-site", b"none"), (b"a", b"b")]) == [(b"a", b"b"), (b"sec-fetch-site", b"cross-site")]
