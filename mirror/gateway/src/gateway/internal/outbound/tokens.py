"""The token that stands for ``$TOKEN$`` in a header of a call."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from gateway.internal.pool.credential import Credential

PLACEHOLDER = "$TOKEN$"
_NAMES = ("accessToken", "access_token", "token", "id_token", "cookie")
_INNER_NAMES = ("access_token", "accessToken")
_REFRESHING = "antigravity"
_SKEW = timedelta(seconds=30)


class TokenMissing(Exception):  # noqa: N818 - it names what happened
    """There is no token to put in; ``str()`` is the text of the management answer."""


def token_of(credential: Credential, now: datetime) -> str:
    """Return the token of a credential: the first in its metadata, else its API key.

    Args:
        credential: Whose token is wanted.
        now: The present moment, with its time zone.

    Raises:
        TokenMissing: It has none, or one that has run out and would have to be refreshed.
    """
    if credential.provider == _REFRESHING:
        return _fresh_token(credential, now)
    token = _stored(credential.metadata) or credential.api_key
    if not token:
        raise TokenMissing("auth token not found")
    return token


def substitute(header: Mapping[str, str], token: str) -> dict[str, str]:
    """Put the token in place of every placeholder in the values; names stay as they are."""
    return {name: value.replace(PLACEHOLDER, token) for name, value in header.items()}


def names_with_placeholder(header: Mapping[str, str]) -> frozenset[str]:
    """Return the lower-case names of the headers that ask for the token."""
    return frozenset(name.lower() for name, value in header.items() if PLACEHOLDER in value)


def _stored(metadata: Mapping[str, object]) -> str:
    return next(filter(None, (_text(metadata.get(name)) for name in _NAMES)), "")


def _text(value: object) -> str:
    if isinstance(value, Mapping):
        return next(filter(None, (_text(value.get(name)) for name in _INNER_NAMES)), "")
    return value.strip() if isinstance(value, str) else ""


def _fresh_token(credential: Credential, now: datetime) -> str:
    token, ends = _stored(credential.metadata), _expiry(credential.metadata)
    if not token or (ends is not None and ends <= now + _SKEW):
        raise TokenMissing("auth token refresh failed")
    return token


def _expiry(metadata: Mapping[str, object]) -> datetime | None:
    """When the stored token runs out; a time without a zone is UTC; None when nothing says so."""
    try:
        ends = datetime.fromisoformat(str(metadata.get("expired", "")))
    except ValueError:
        return None
    return ends if ends.tzinfo else ends.replace(tzinfo=UTC)
