"""Terms: the words for parameters of reasons that are tokens."""

from collections.abc import Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Final

TERMS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "key_finding": {
            "invalid_key": "Invalid key",
            "forbidden": "Key not permitted",
            "out_of_quota": "Out of quota",
            "rate_limited": "Rate limited",
            "blocked": "Blocked before the key was checked",
            "rejected": "Request rejected",
            "provider_error": "Provider error",
        },
        "file_finding": {
            "forbidden": "Account not permitted",
            "relogin_needed": "Sign-in expired, sign in again",
            "revoked": "Sign-in revoked by the vendor",
            "out_of_quota": "Out of quota",
            "rate_limited": "Rate limited",
            "blocked": "Blocked before the sign-in was checked",
            "rejected": "Request rejected",
            "provider_error": "Provider error",
        },
        "meaning": {
            "invalid_key": "the provider does not know the key",
            "key_expired": "the key has expired",
            "key_not_permitted": "the key lacks a permission",
            "account_suspended": "the account is suspended or closed",
            "out_of_quota": "balance or quota is used up",
            "rate_limited": "too many requests for now",
            "blocked": "the region, address or client is not allowed",
            "provider_error": "the provider failed",
        },
        "wall": {
            "challenge": "a challenge page asks for a browser",
            "page": "a web page answered instead of the API",
            "redirect": "the request is redirected to another host",
            "sign_in": "the request is redirected to a sign-in page",
            "undecodable": "the answer is not text",
            "encoded": "the content encoding of the answer is not supported",
        },
        "flaw": {
            "empty": "with an empty body",
            "page": "with a web page instead of JSON",
            "not_json": "with something that is not JSON",
            "other_json": "with JSON that is not an answer of this interface",
            "error": "but the body reports an error",
            "too_long": "with a body longer than 1 MiB that does not begin like an answer of this interface",
        },
        "silence": {
            "timeout": "No answer in time",
            "connect": "No connection to the provider, or it was closed",
            "dns": "The name of the provider's host was not found",
            "tls": "No secure connection to the provider",
            "proxy": "The proxy did not reach the provider",
            "unreadable": "The answer broke off or cannot be decoded",
            "unknown": "The request to the provider failed",
        },
        "request_part": {
            "body": "body",
            "query": "query",
            "path": "path",
            "header": "header",
            "cookie": "cookie",
        },
        "cron_part": {
            "minute": "minute",
            "hour": "hour",
            "day-of-month": "day of month",
            "month": "month",
            "day-of-week": "day of week",
        },
        "price_list": {
            "litellm": "LiteLLM",
            "models_dev": "models.dev",
        },
        "list_problem": {
            "proxy_unreachable": "the gateway's proxy cannot be reached",
            "proxy_refused": "the gateway's proxy refused the connection",
            "proxy_unknown": "the gateway did not name its proxy",
            "dns": "its host name cannot be resolved",
            "certificate": "its certificate is not trusted",
            "tls": "no secure connection could be made",
            "connect": "no connection could be made",
            "broken": "the connection failed",
            "no_json": "the answer is not valid JSON",
            "no_object": "the document is no JSON object",
        },
    }
)
"""Words by name of the parameter and by token; any other parameter is a value that stands for itself."""

IDENTIFIERS: Final = frozenset({"action", "entry", "first", "line", "run", "status"})
"""Names of parameters that are numbers of something; other numbers are amounts, with separators of thousands."""
_TIME: Final = "_at"
"""End of the names of parameters that are times in integer milliseconds UTC."""


def in_words(name: str, value: str | int) -> str:
    """Return a parameter as it stands in a sentence."""
    if name.endswith(_TIME) and isinstance(value, int):
        return shown_time(value)
    if isinstance(value, int) and name not in IDENTIFIERS:
        return f"{value:,}"
    words = TERMS.get(name)
    return str(value) if words is None else words.get(str(value), str(value).replace("_", " ").capitalize())


def shown_time(milliseconds: int) -> str:
    """Return a time for people, in UTC to the minute; far-off nonsense stays a number."""
    try:
        return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
    except (ValueError, OverflowError, OSError):
        return str(milliseconds)
