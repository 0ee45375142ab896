import pytest

from adapter.management.listing.sections import canonical, differences


@pytest.mark.parametrize(
    ("first", "other", "equal"),
    [
        ({"api-key": "a", "auth-index": "1"}, {"api-key": "a"}, True),
        ({"api-key": "a", "models": None, "proxy-url": ""}, {"api-key": "a"}, True),
        ({"api-key": "a", "disabled": False}, {"api-key": "a"}, True),
        ({"api-key": "a", "weight": 0}, {"api-key": "a"}, False),
        ({"api-key": "a", "excluded-models": ["*"]}, {"api-key": "a"}, False),
        ({"api-key-entries": [{"api-key": "a", "auth-index": "1"}]}, {"api-key-entries": [{"api-key": "a"}]}, True),
        ({"headers": {"a": "b"}}, {"headers": {"a": "c"}}, False),
    ],
)
def test_entries_that_mean_the_same_are_equal(first: object, other: object, equal: bool) -> None:
    assert (canonical(first) == canonical(other)) is equal
    assert (differences([first], [other]) == ()) is equal


def test_lists_of_different_lengths_differ_from_the_shorter_ones_end() -> None:
    assert differences([{"a": "1"}, {"a": "2"}], [{"a": "1"}]) == (1,)
    assert differences([], [{"a": "1"}]) == (0,)
