import pytest
from hypothesis import given
from hypothesis import strategies as st
from yarl import URL

from gateway.internal.outbound.guard import parse_address, place_of, sent_url


@pytest.mark.parametrize("url", ["", "nonsense", "http://h:99999/", "http://[::1", "ftp://files.example/"])
def test_what_names_no_place_is_no_place(url: str) -> None:
    assert place_of(url) is None


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("https://Models.Internal/v1", ("models.internal", 443)),
        ("http://127\u30020\u30020\u30021:8080/", ("127.0.0.1", 8080)),
        ("http://\uff11\uff10.0.0.1/", ("10.0.0.1", 80)),
        ("http://user:word@[::1]:81/", ("::1", 81)),
        ("http://b\u00fccher.example/", ("xn--bcher-kva.example", 80)),
    ],
)
def test_a_place_is_the_one_that_is_connected_to(url: str, place: tuple[str, int]) -> None:
    assert place_of(url) == place
    assert place_of(sent_url(url)) == place


DIGITS = st.sampled_from(["0\u24ea\uff10\U0001d7ce", "1\u2460\uff11\U0001d7cf", "2\u2461\uff12\U0001d7d0"])
DOTS = st.sampled_from(".\u3002\uff0e\uff61")


@given(st.lists(DIGITS.flatmap(st.sampled_from), min_size=4, max_size=4), DOTS)
def test_an_address_in_odd_digits_and_dots_is_judged_as_an_address(digits: list[str], dot: str) -> None:
    place = place_of(f"http://{dot.join(digits)}:80/")
    assert place is not None
    assert parse_address(place[0]) is not None


def test_an_address_is_sent_as_it_was_given() -> None:
    assert str(sent_url("http://h/a%2fb?c=%zz#part")) == "http://h/a%2fb?c=%zz"
    assert isinstance(sent_url("http://h/"), URL)
