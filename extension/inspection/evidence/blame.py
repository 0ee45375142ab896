"""Blame: whose trouble an error body tells, the key's or that of an upstream behind a relay.

An error that is quoted inside another answer was addressed to the relay, so that it says nothing about our key.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

from extension.inspection.evidence.error_body import ErrorBody

_QUOTED: Final = re.compile(
    r"\{\s*\\?[\"'](?:error|errors|type|code|message|detail|object|status)\\?[\"']\s*:"
    r"|\blitellm\.\w+(?:Error|Exception)\b|\b[A-Za-z_]+Exception\s+-\s|\bprovider returned error\b"
    r"|\bupstream\b|上游|渠道",
    re.IGNORECASE,
)
"""Another error within a text, or the words by which relays name the host behind them."""
_QUOTED_CODE: Final = re.compile(r"upstream|bad_response|^channel:|provider_error", re.IGNORECASE)
_QUOTING: Final = ("raw", "provider_name", "upstream_error", "upstream", "original_error", "provider_error")
_ERRORS: Final = ("error", "errors", "metadata", "detail", "details")
_DEEPEST: Final = 4
_READ: Final = 4_096
"""Characters of a text that are read: what is longer repeats the request."""
_KEY_CODE: Final = re.compile(
    r"^unauthori[sz]ed$|^unauthenticated$|authentication|api_?key|invalid_?token|token_?(expired|invalid)|^401$",
    re.IGNORECASE,
)
_BAD: Final = r"(?:invalid|incorrect|wrong|unknown|expired|revoked|disabled|bad|not valid|not found|not exist|no such)"
_KEY: Final = r"\b(?:api[ _-]?keys?|token|(?:access|secret|auth)[ _-]?key|key|credentials?)\b"
_KEY_TEXT: Final = re.compile(
    rf"\b{_BAD}\b.{{0,30}}{_KEY}|{_KEY}.{{0,40}}\b{_BAD}\b|\bunauthori[sz]ed\b|\bunauthenticated\b"
    r"|\bauthentication (?:fail|error|required)|\bnot authenticated\b|\blogin fail"
    r"|(?:无效|错误|失效|过期|禁用|不存在|不正确).{0,12}(?:令牌|密钥|key)"
    r"|(?:令牌|密钥|key).{0,12}(?:无效|错误|失效|过期|禁用|不存在|不正确|不可用)|鉴权失败|认证失败|未授权",
    re.IGNORECASE,
)


def quotes_another_error(value: Any) -> bool:
    """Return whether an error body repeats the error of another host, as relays do."""
    return any(_is_quoting(part) for part in _errors(value, _DEEPEST))


def blames_the_key(complaint: ErrorBody) -> bool:
    """Return whether codes or words of an error are about the key; a proof only where a wrong key gets the same."""
    return any(map(_KEY_CODE.search, complaint.codes)) or bool(_KEY_TEXT.search(complaint.message[:_READ]))


def _errors(value: Any, depth: int) -> Iterator[dict[str, Any]]:
    """Yield an error body and the errors within it, outermost first."""
    if depth == 0:
        return
    if isinstance(value, list):
        for item in value:
            yield from _errors(item, depth - 1)
    elif isinstance(value, dict):
        yield value
        for name in _ERRORS:
            yield from _errors(value.get(name), depth - 1)


def _is_quoting(error: dict[str, Any]) -> bool:
    texts = (error.get(name) for name in ("message", "msg", "error", "detail", "details"))
    codes = (error.get(name) for name in ("code", "type"))
    return (
        any(isinstance(text, str) and _QUOTED.search(text[:_READ]) for text in texts)
        or any(isinstance(code, str) and _QUOTED_CODE.search(code) for code in codes)
        or any(isinstance(error.get(name), str | dict) and error[name] for name in _QUOTING)
    )
