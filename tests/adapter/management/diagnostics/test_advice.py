from hypothesis import given
from hypothesis import strategies as st

from adapter.management.diagnostics.advice import advise, saved_seconds


def test_advice_names_the_remedy_and_its_saving() -> None:
    advice = advise({"host": "", "api-keys": ["your-api-key-1"], "usage-statistics-enabled": True}, 0.072, 10_000)
    assert [hint.code for hint in advice] == ["expensive_calls", "short_retention", "open_binding", "template_keys"]
    assert "700 s less" in advice[0].text
    good = {
        "host": "127.0.0.1",
        "api-keys": ["a-key"],
        "usage-statistics-enabled": True,
        "redis-usage-queue-retention-seconds": 3600,
    }
    assert advise(good, 0.002, 10_000) == ()
    assert [hint.code for hint in advise({"host": "127.0.0.1"}, 0, 1)] == ["no_usage", "open_inference"]


@given(st.integers(0, 100_000), st.floats(0, 10))
def test_what_would_be_saved_is_never_negative(accounts: int, cost: float) -> None:
    assert saved_seconds(accounts, cost) >= 0
