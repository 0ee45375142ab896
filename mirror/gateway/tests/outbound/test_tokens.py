from datetime import UTC, datetime

import pytest

from gateway.internal.outbound.tokens import TokenMissing, names_with_placeholder, substitute, token_of
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


@pytest.mark.parametrize("expired", ["2026-08-22T12:00:31Z", "2026-08-22T14:00:31+02:00", "2026-08-22T12:00:31", "?"])
def test_a_token_that_still_lasts_is_used(expired: str) -> None:
    metadata: dict[str, object] = {"access_token": "t", "expired": expired}
    assert token_of(credential(metadata, provider="antigravity"), NOW) == "t"


@pytest.mark.parametrize(
    "metadata", [{"access_token": "t", "expired": "2026-08-22T12:00:30Z"}, {"expired": "2027-01-01T00:00:00Z"}]
)
def test_a_token_that_would_have_to_be_refreshed_is_refused(metadata: dict[str, object]) -> None:
    with pytest.raises(TokenMissing, match=r"^auth token refresh failed$"):
        token_of(credential(metadata, provider="antigravity"), NOW)


def test_every_placeholder_in_the_values_is_replaced_and_none_in_the_names() -> None:
    header = {"$TOKEN$": "x", "Authorization": "Bearer $TOKEN$", "Twice": "$TOKEN$-$TOKEN$"}
    assert substitute(header, "k") == {"$TOKEN$": "x", "Authorization": "Bearer k", "Twice": "k-k"}
    assert names_with_placeholder(header) == {"authorization", "twice"}
