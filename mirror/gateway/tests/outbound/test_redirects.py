import pytest

from gateway.internal.outbound.failure import OutboundFailed
from gateway.internal.outbound.redirects import Hop, next_hop

HEADER = {
    "Authorization": "Bearer k",
    "X-Api-Key": "k",
    "X-Custom": "k",
    "Cookie": "c=k",
    "Content-Type": "application/json",
    "X-Harmless": "yes",
    "Host": "front",
}
POST = Hop("POST", "https://a.example/v1/chat", HEADER, b"{}", frozenset({"x-custom"}))


def follow(hop: Hop, status: int, location: str) -> Hop:
    following = next_hop(hop, status, location)
    assert following is not None
    return following


@pytest.mark.parametrize("status", [301, 302, 303])
def test_a_post_becomes_a_get_without_body(status: int) -> None:
    hop = follow(POST, status, "/elsewhere")
    assert (hop.method, hop.url, hop.body) == ("GET", "https://a.example/elsewhere", b"")
    assert "Content-Type" not in hop.header


@pytest.mark.parametrize("status", [307, 308])
def test_method_and_body_are_kept(status: int) -> None:
    hop = follow(POST, status, "https://a.example/elsewhere")
    assert (hop.method, hop.body) == ("POST", b"{}")
    assert hop.header["Content-Type"] == "application/json"


def test_within_the_host_credentials_and_host_header_go_along() -> None:
    hop = follow(POST, 307, "/v2/chat")
    assert hop.header == HEADER


@pytest.mark.parametrize(
    "location",
    [
        "https://b.example/",
        "https://sub.a.example/",
        "https://a.example:8443/",
        "http://a.example/",
        "http://a.example:443/",
        "//b.example/",
        "https://a.example@b.example/",
    ],
)
def test_no_credential_goes_to_another_place(location: str) -> None:
    hop = follow(POST, 307, location)
    assert hop.header == {"Content-Type": "application/json", "X-Harmless": "yes"}


def test_a_credential_left_behind_does_not_come_back() -> None:
    away = follow(POST, 307, "https://b.example/")
    back = follow(away, 307, "https://a.example/v1/chat")
    assert "Authorization" not in back.header


def test_the_step_to_https_on_the_same_host_keeps_credentials() -> None:
    hop = follow(Hop("GET", "http://a.example/", {"Authorization": "Bearer k"}), 301, "https://a.example/")
    assert hop.header == {"Authorization": "Bearer k"}


@pytest.mark.parametrize(("status", "location"), [(302, None), (302, ""), (304, "/x"), (200, "/x"), (300, "/x")])
def test_what_is_no_redirect_is_handed_on(status: int, location: str | None) -> None:
    assert next_hop(POST, status, location) is None


@pytest.mark.parametrize("location", ["ftp://b.example/", "http://[::1", "http://h:port/"])
def test_an_impossible_target_fails(location: str) -> None:
    with pytest.raises(OutboundFailed):
        next_hop(POST, 302, location)
