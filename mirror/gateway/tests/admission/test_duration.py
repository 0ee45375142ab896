import pytest

from gateway.internal.admission.bans import go_duration


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0s"),
        (-3, "0s"),
        (0.4, "0s"),
        (0.5, "1s"),
        (59.4, "59s"),
        (59.5, "1m0s"),
        (1799.2, "29m59s"),
        (1800, "30m0s"),
        (3600, "1h0m0s"),
        (7325, "2h2m5s"),
    ],
)
def test_a_duration_is_written_as_go_writes_it(seconds: float, text: str) -> None:
    assert go_duration(seconds) == text
