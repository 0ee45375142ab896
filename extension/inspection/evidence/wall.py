"""Walls: answers that do not come from the API, but from something in front of it."""

import re
from enum import StrEnum
from typing import Final
from urllib.parse import urljoin

from adapter.port import Answer
from extension.inspection.requests.addresses import host_of

_MARKUP: Final = re.compile(
    r"<(!doctype|html|head|body|title|script|style|meta|center|h1|div|p|iframe|noscript)\b", re.IGNORECASE
)
_CHALLENGE: Final = re.compile(
    r"just a moment|attention required! \| cloudflare|cf-chl|captcha-delivery", re.IGNORECASE
)
_SIGN_IN: Final = re.compile(r"(log|sign)[-_]?in|/auth\b|/sso\b|/oauth|cdn-cgi/access|saml|portal", re.IGNORECASE)
_ASKS_FOR_USER_NAME: Final = re.compile(r"(basic|digest|negotiate|ntlm)\b", re.IGNORECASE)
"""Schemes of `WWW-Authenticate` that ask for a user name, which no API that takes keys does."""
_BEGINNING: Final = 2_048
_UNDECODABLE: Final = "\ufffd"
_ENCODING: Final = re.compile(r"[a-z0-9-]{1,20}(, ?[a-z0-9-]{1,20}){0,3}")
_UNDECODABLE_SHARE: Final = 0.1


class Wall(StrEnum):
    """Reason why an answer is not the API's."""

    CHALLENGE = "challenge"
    PAGE = "page"
    REDIRECT = "redirect"
    SIGN_IN = "sign_in"
    USER_NAME = "user_name"
    UNDECODABLE = "undecodable"
    ENCODED = "encoded"


def wall_of(answer: Answer, url: str) -> Wall | None:
    """Return the wall that an answer to a URL comes from, or None where the API itself may have answered.

    A JSON body is the API's even behind a challenge vendor, unless the header says that the challenge was served.
    """
    if (answer.header_value("cf-mitigated") or "").strip().lower() == "challenge":
        return Wall.CHALLENGE
    text = answer.body[:_BEGINNING].lstrip("\ufeff \t\r\n")
    if text.startswith("<") and _MARKUP.search(text):
        return Wall.CHALLENGE if _CHALLENGE.search(text) else Wall.PAGE
    if answer.status // 100 == 3:  # noqa: PLR2004 - the class of redirects
        return _redirect(answer, url)
    if not text.startswith(("{", "[")) and _ASKS_FOR_USER_NAME.match(
        (answer.header_value("WWW-Authenticate") or "").strip()
    ):
        return Wall.USER_NAME
    if not _is_undecodable(text):
        return None
    return Wall.ENCODED if unsupported_encoding(answer) else Wall.UNDECODABLE


def unsupported_encoding(answer: Answer) -> str:
    """Return the content encoding of an answer that no gateway unpacks (v7.2.140 does gzip alone); empty for none."""
    named = (answer.header_value("Content-Encoding") or "").strip().lower()
    if named in {"", "gzip", "identity"}:
        return ""
    return named if _ENCODING.fullmatch(named) else "?"


def wall_details(answer: Answer, wall: Wall) -> str:
    """Return what a reason names of an answer that comes from a wall."""
    encoding = f", {unsupported_encoding(answer)}" if wall is Wall.ENCODED else ""
    return f"(HTTP {answer.status}{encoding})"


def _redirect(answer: Answer, url: str) -> Wall | None:
    location = answer.header_value("Location")
    if location is None:
        return None
    try:
        target = urljoin(url, location)
        elsewhere = host_of(target) != host_of(url)
    except ValueError:
        return Wall.REDIRECT
    if _SIGN_IN.search(target.removeprefix(url)):
        return Wall.SIGN_IN
    return Wall.REDIRECT if elsewhere else None


def _is_undecodable(text: str) -> bool:
    broken = text.count(_UNDECODABLE) + text.count("\x00")
    return broken > len(text) * _UNDECODABLE_SHARE
