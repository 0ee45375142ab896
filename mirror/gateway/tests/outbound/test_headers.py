import pytest

from gateway.internal.outbound.redirects import canonical, multimap, writable


@pytest.mark.parametrize(
    ("name", "spelling"),
    [("retry-after", "Retry-After"), ("X-REQUEST-ID", "X-Request-Id"), ("etag", "Etag"), ("bad name", "bad name")],
)
def test_names_are_spelled_as_go_spells_them(name: str, spelling: str) -> None:
    assert canonical(name) == spelling


def test_repeated_headers_keep_their_values_in_order_and_names_are_sorted() -> None:
    items = [("set-cookie", "b"), ("Date", "now"), ("Set-Cookie", "a"), ("transfer-encoding", "chunked")]
    assert list(multimap(items).items()) == [("Date", ("now",)), ("Set-Cookie", ("b", "a"))]


@pytest.mark.parametrize("name", ["", "X A", "X:A", "X\r\nA", "\u00fc", "X\t"])
def test_a_header_name_that_is_no_token_cannot_be_written(name: str) -> None:
    assert not writable({"Accept": "a", name: "v"})


@pytest.mark.parametrize(
    ("value", "result"), [("a\tb \u00fc", True), ("a\r\nB: c", False), ("\x00", False), ("\x7f", False)]
)
def test_a_header_value_holds_no_control_character_but_the_tab(value: str, result: bool) -> None:
    assert writable({"X-A": value}) is result
