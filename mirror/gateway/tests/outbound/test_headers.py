import pytest

from gateway.internal.outbound.redirects import canonical, is_token, multimap, sendable, writable


@pytest.mark.parametrize(
    ("name", "spelling"),
    [("retry-after", "Retry-After"), ("X-REQUEST-ID", "X-Request-Id"), ("etag", "Etag"), ("bad name", "bad name")],
)
def test_names_are_spelled_as_go_spells_them(name: str, spelling: str) -> None:
    assert canonical(name) == spelling


def test_repeated_headers_keep_their_values_in_order_and_names_are_sorted() -> None:
    items = [("set-cookie", "b"), ("Date", "now"), ("Set-Cookie", "a"), ("transfer-encoding", "chunked")]
    assert list(multimap(items).items()) == [("Date", ("now",)), ("Set-Cookie", ("b", "a"))]


def test_headers_the_client_sets_itself_are_not_taken_over() -> None:
    assert sendable({"content-length": "3", "Transfer-Encoding": "chunked", "x-a": "1"}) == {"X-A": "1"}


@pytest.mark.parametrize(("text", "result"), [("GET", True), ("M-SEARCH", True), ("", False), ("GE T", False)])
def test_a_method_is_a_token(text: str, result: bool) -> None:
    assert is_token(text) is result


@pytest.mark.parametrize("name", ["", "X A", "X:A", "X\r\nA", "\u00fc", "X\t"])
def test_a_header_name_that_is_no_token_cannot_be_written(name: str) -> None:
    assert not writable({"Accept": "a", name: "v"})


@pytest.mark.parametrize(
    ("value", "result"), [("a\tb \u00fc", True), ("a\r\nB: c", False), ("\x00", False), ("\x7f", False)]
)
def test_a_header_value_holds_no_control_character_but_the_tab(value: str, result: bool) -> None:
    assert writable({"X-A": value}) is result
