import pytest

from adapter.management.listing.sections import canonical, differences


@pytest.mark.parametrize(
    ("one", "other", "equal"),
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
def test_entries_that_mean_the_same_are_equal(one: object, other: object, equal: bool) -> None:
    assert (canonical(one) == canonical(other)) is equal
    assert (differences([one], [other]) == ()) is equal


def test_lists_of_different_lengths_differ_from_the_shorter_ones_end() -> None:
    assert differences([{"a": "1"}, {"a": "2"}], [{"a": "1"}]) == (1,)
    assert differences([], [{"a": "1"}]) == (0,)
