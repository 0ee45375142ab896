"""Tokens for ``$TOKEN$`` in headers of calls."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from gateway.internal.pool.credential import Credential

PLACEHOLDER = "$TOKEN$"
_NAMES = ("accessToken", "access_token", "token", "id_token", "cookie")
_INNER_NAMES = ("access_token", "accessToken")
_EXPIRIES = ("expired", "expire", "expires_at", "expiresAt", "expiry", "expires")
"""Fields of a credential file for the expiry of its token; the first present one counts."""

_MILLISECONDS = 1e11  # seconds beyond this would be in the year 5138
_HIGHEST = 10**15
_LASTS = "expires_in"
ISSUED = "timestamp"
"""Field of a credential file for the time of issue, in milliseconds since 1970."""

_REFRESHED = "antigravity"
_SKEW = timedelta(seconds=30)


class TokenMissing(Exception):  # noqa: N818 - it names what happened
    """There is no token; ``str()`` is the text of the management answer."""


def token_of(credential: Credential, now: datetime) -> str:
    """Return the token of a credential: the first in its metadata, else its API key.

    Raises:
        TokenMissing: It has none, or an expired one that would have to be refreshed.
    """
    if credential.provider == _REFRESHED:
        return _fresh_token(credential, now)
    token = (_stored(credential.metadata) if credential.metadata else "") or credential.api_key
    if not token:
        raise TokenMissing("auth token not found")
    return token


def substitute(header: Mapping[str, str], token: str) -> dict[str, str]:
    """Replace every placeholder in the values; names stay unchanged."""
    return {name: value.replace(PLACEHOLDER, token) for name, value in header.items()}


def names_with_placeholder(header: Mapping[str, str]) -> frozenset[str]:
    """Return the lower-case names of the headers with a placeholder."""
    return frozenset(name.lower() for name, value in header.items() if PLACEHOLDER in value)


def _stored(metadata: Mapping[str, object]) -> str:
    return next(filter(None, (_text(metadata.get(name)) for name in _NAMES)), "")


def _text(value: object) -> str:
    if isinstance(value, Mapping):
        return next(filter(None, (_text(value.get(name)) for name in _INNER_NAMES)), "")
    return value.strip() if isinstance(value, str) else ""


def _fresh_token(credential: Credential, now: datetime) -> str:
    token = _stored(credential.metadata)
    if not token or runs_out(credential.metadata, now):
        raise TokenMissing("auth token refresh failed")
    return token


def runs_out(metadata: Mapping[str, object], now: datetime) -> bool:
    """Return whether the stored token has expired, or will within half a minute; False without an expiry."""
    ends = _expiry(metadata)
    return ends is not None and ends <= now + _SKEW


def needs_refresh(credential: Credential, now: datetime) -> bool:
    """Return whether a call has to refresh the token first.

    That is so for antigravity, when the token is missing, expires within half a minute, or has no expiry.
    """
    if credential.provider != _REFRESHED:
        return False
    ends = _expiry(credential.metadata)
    return not _stored(credential.metadata) or ends is None or ends <= now + _SKEW


def endless(metadata: Mapping[str, object]) -> dict[str, object]:
    """Return the content of a credential file without the fields for its token's expiry."""
    remaining = {name: value for name, value in metadata.items() if name not in {*_EXPIRIES, _LASTS}}
    inner = remaining.get("token")
    if isinstance(inner, Mapping):
        remaining["token"] = {name: value for name, value in inner.items() if name not in _EXPIRIES}
    return remaining


def _expiry(metadata: Mapping[str, object]) -> datetime | None:
    """Return the expiry of the stored token, or None."""
    inner = metadata.get("token")
    for holder in (metadata, inner if isinstance(inner, Mapping) else {}):
        value = next((holder[name] for name in _EXPIRIES if holder.get(name)), None)
        if value is not None and (ends := _moment(value)) is not None:
            return ends
    lasts, issued = _number(metadata.get(_LASTS)), _number(metadata.get(ISSUED))
    return _moment(issued / 1000 + lasts) if lasts > 0 and issued > 0 else None


def _number(value: object) -> int:
    try:
        number = int(value) if isinstance(value, int | float | str) else 0
    except (ValueError, OverflowError):
        return 0
    return number if abs(number) < _HIGHEST else 0


def _moment(value: object) -> datetime | None:
    """Parse a time: a text, by default in UTC, or seconds or milliseconds since 1970."""
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value / 1000 if value > _MILLISECONDS else value, UTC)
        ends = datetime.fromisoformat(str(value))
    except (ValueError, OverflowError, OSError):
        return None
    return ends if ends.tzinfo else ends.replace(tzinfo=UTC)
