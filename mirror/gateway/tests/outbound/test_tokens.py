from datetime import UTC, datetime

import pytest

from gateway.internal.outbound.tokens import (
    TokenMissing,
    names_with_placeholder,
    needs_refresh,
    runs_out,
    substitute,
    token_of,
)
from gateway.internal.pool.credential import Credential, Origin

NOW = datetime(2026, 8, 22, 12, 0, tzinfo=UTC)


def credential(metadata: dict[str, object], *, provider: str = "claude", api_key: str = "") -> Credential:
    return Credential(
        id="c",
        auth_index="0" * 16,
        provider=provider,
        label="",
        origin=Origin.FILE,
        disabled=False,
        revision="",
        api_key=api_key,
        metadata=metadata,
    )


@pytest.mark.parametrize(
    ("metadata", "token"),
    [
        ({"accessToken": "a", "access_token": "b"}, "a"),
        ({"access_token": "b", "token": "c"}, "b"),
        ({"access_token": "  ", "token": "c"}, "c"),
        ({"token": {"access_token": "d"}}, "d"),
        ({"token": {"accessToken": "e"}}, "e"),
        ({"id_token": "f", "cookie": "g"}, "f"),
        ({"cookie": "g"}, "g"),
        ({"access_token": 7}, "key"),
        ({}, "key"),
    ],
)
def test_the_first_token_of_the_metadata_wins_over_the_key(metadata: dict[str, object], token: str) -> None:
    assert token_of(credential(metadata, api_key="key"), NOW) == token


def test_nothing_to_put_in_is_said() -> None:
    with pytest.raises(TokenMissing, match=r"^auth token not found$"):
        token_of(credential({"refresh_token": "r"}), NOW)


ISSUED = {"access_token": "t", "timestamp": 1_787_396_400_000}  # 11:00:00


@pytest.mark.parametrize(
    "metadata",
    [
        {"access_token": "t", "expired": "2026-08-22T12:00:30Z"},
        {"expired": "2027-01-01T00:00:00Z"},
        ISSUED | {"expires_in": 3630},
    ],
)
def test_a_token_that_would_have_to_be_refreshed_is_refused(metadata: dict[str, object]) -> None:
    with pytest.raises(TokenMissing, match=r"^auth token refresh failed$"):
        token_of(credential(metadata, provider="antigravity"), NOW)


@pytest.mark.parametrize(
    ("metadata", "needed"),
    [
        ({"access_token": "t", "expired": "2026-08-22T12:00:31Z"}, False),
        ({"access_token": "t", "expired": "2026-08-22T12:00:30Z"}, True),
        ({"expired": "2027-01-01T00:00:00Z"}, True),
        ({"access_token": "t"}, True),
        ({"access_token": "t", "expired": "?"}, True),
        (ISSUED | {"expires_in": 3631}, False),
        (ISSUED | {"expires_in": "3631", "expired": "?"}, False),
        (ISSUED | {"expires_in": 3630}, True),
        (ISSUED | {"expires_in": 3630, "expired": "2026-08-22T12:00:31Z"}, False),
        (ISSUED | {"expires_in": float("inf")}, True),
        (ISSUED | {"expires_in": [1]}, True),
    ],
)
def test_a_token_is_refreshed_that_is_missing_or_runs_out_or_does_not_say_when(
    metadata: dict[str, object], needed: bool
) -> None:
    assert needs_refresh(credential(metadata, provider="antigravity"), NOW) is needed
    assert not needs_refresh(credential(metadata, provider="claude"), NOW)


def test_every_placeholder_in_the_values_is_replaced_and_none_in_the_names() -> None:
    header = {"$TOKEN$": "x", "Authorization": "Bearer $TOKEN$", "Twice": "$TOKEN$-$TOKEN$"}
    assert substitute(header, "k") == {"$TOKEN$": "x", "Authorization": "Bearer k", "Twice": "k-k"}
    assert names_with_placeholder(header) == {"authorization", "twice"}


@pytest.mark.parametrize("name", ["expired", "expire", "expires_at", "expiresAt", "expiry", "expires"])
@pytest.mark.parametrize("nested", [True, False])
@pytest.mark.parametrize("ended", ["2026-08-22T11:00:00Z", 1_787_396_400, 1_787_396_400_000])
def test_the_end_of_a_token_is_found_whatever_it_is_called_and_however_it_is_written(
    name: str, nested: bool, ended: object
) -> None:
    end: dict[str, object] = {name: ended}
    assert runs_out({"token": end} if nested else end, NOW)
    later = {name: "2030-01-01T00:00:00Z"}
    assert not runs_out({"token": later} if nested else later, NOW)
