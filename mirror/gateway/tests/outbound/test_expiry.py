from datetime import UTC, datetime

import pytest

from gateway.internal.outbound.tokens import runs_out

NOW = datetime(2026, 8, 22, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("metadata", "over"),
    [
        ({"expired": "2026-08-22T12:00:30Z"}, True),
        ({"expired": "2026-08-22T12:00:31Z"}, False),
        ({"expires_at": 1_787_400_030}, True),
        ({"expires_at": 1_787_400_031}, False),
        ({"expiry": 1_787_400_030_000}, True),
        ({"expiresAt": 1_787_400_031_000}, False),
        ({"token": {"expires": "2020-01-01"}}, True),
        ({"expired": "2999-01-01", "expire": "2020-01-01"}, False),
        ({"expired": True}, False),
        ({"expired": 1e300}, False),
        ({}, False),
    ],
)
def test_the_first_field_that_says_when_a_token_runs_out_counts(metadata: dict[str, object], over: bool) -> None:
    assert runs_out(metadata, NOW) is over
