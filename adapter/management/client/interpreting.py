"""Answers of the gateway as success or one error of the port. Pure."""

import json
import re
from datetime import UTC, datetime
from typing import Any, Final

from adapter.management.client.release import release_of
from adapter.management.client.transport import UNTRUSTED, Reply, Request, TransportFailure
from adapter.port import errors
from adapter.privacy.secret import Redactor
from adapter.rules.save_refusal import save_refusal

_OK = range(200, 300)
_REDIRECT = range(300, 400)
_UNAUTHORISED: Final = 401
_FORBIDDEN: Final = 403
_NOT_FOUND: Final = 404
_TOO_MANY: Final = 429
_SERVER: Final = 500
_BANNED: Final = "IP banned"
_KEY_REFUSALS: Final = ("invalid management key", "missing management key")
_DURATION: Final = re.compile(r"(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$")
_TEXT_LIMIT: Final = 300
_NO_ROUTE: Final = b"404 page not found"
"""Body for an absent path in releases before v7.1.47; switched-off management answers without a body in all."""


class PathUnknown(errors.NotFound):
    """The gateway is there and has no such path: it is older, or the path belongs to a plugin it does not have."""


class Misdirected(errors.Unavailable):
    """The address belongs to no gateway, redirects, or its management is off: waiting cannot help."""


class ManagementRefused(errors.Unauthorised):
    """The gateway refuses management from here whatever the key (403), and counts no failure."""


def judge(request: Request, reply: Reply, now_ms: int, *, recognized: bool = False) -> None:
    """Pass an answer that says the request was served.

    `recognized` when this gateway has answered with its version before: releases before v7.1.47 answer an absent path
    without version headers.

    Raises:
        GatewayError: it says anything else; which one is decided by status, headers and body together.
    """
    if reply.status in _OK:
        return
    text = error_text(reply)
    if reply.status == _UNAUTHORISED:
        raise errors.Unauthorised(
            f"The gateway refuses the management key ({text or 'HTTP 401'}). Everything stops, because five such"
            " answers ban this address for 30 minutes. Give the right key."
        )
    if reply.status == _FORBIDDEN:
        raise _forbidden(text, now_ms)
    if reply.status == _NOT_FOUND:
        raise _not_found(request, reply, text, recognized=recognized)
    if reply.status in _REDIRECT:
        raise Misdirected(
            "The address answers with a redirect, which is never followed, because the management key would go with"
            " it. Name the address of the gateway itself."
        )
    if reply.status >= _SERVER and (unsaved := _unsaved(reply, text)) is not None:
        raise unsaved
    if reply.status >= _SERVER or reply.status == _TOO_MANY:
        applied: errors.Effect = "no" if request.safe or reply.status == _TOO_MANY else "maybe"
        raise errors.Unavailable(
            f"The gateway answered HTTP {reply.status}{f' ({text})' if text else ''}. Look at its log.",
            retry_after=_seconds(reply.header.get("retry-after", "")),
            applied=applied,
        )
    raise errors.Rejected(slug(text) or f"http_{reply.status}", text or f"The gateway answered HTTP {reply.status}.")


def lost(request: Request, failure: TransportFailure, address: str) -> errors.GatewayError:
    """The error of the port for an answer that never came."""
    applied: errors.Effect = "maybe" if failure.sent and not request.safe else "no"
    if failure.late:
        return errors.TimedOut(f"The gateway at {address} did not answer in time. Is it overloaded?", applied=applied)
    if failure.reason == UNTRUSTED:
        return errors.Untrusted(f"The certificate of the gateway at {address} is not trusted here.", applied=applied)
    return errors.Unavailable(
        f"The gateway at {address} does not answer: {failure.reason}. Is it running?", applied=applied
    )


def content(reply: Reply) -> Any:
    """The JSON of an answer.

    Raises:
        Unavailable: it is none, so something else than the gateway answered.
    """
    try:
        return json.loads(reply.body)
    except ValueError:
        raise errors.Unavailable(
            "The gateway's answer is not JSON: something between us and it answers in its place."
        ) from None


def error_text(reply: Reply) -> str:
    """Return the text of an error answer, in one line and without anything shaped like a secret; empty without one."""
    try:
        parsed = json.loads(reply.body)
    except ValueError:
        return ""
    text = parsed.get("error") if isinstance(parsed, dict) else None
    return Redactor().redact(" ".join(text.split()))[:_TEXT_LIMIT] if isinstance(text, str) else ""


def slug(text: str) -> str:
    """A text as a code for programs."""
    return "_".join(re.findall(r"[a-z0-9]+", text.lower()))[:60]


def names_key(text: str) -> bool:
    """Return whether a text holds the gateway's own words for a refused key."""
    return any(refusal in text for refusal in _KEY_REFUSALS)


def is_ban(text: str) -> bool:
    """Return whether a text holds the gateway's own words for a ban of the address."""
    return text.startswith(_BANNED)


def ban_seconds(text: str) -> int | None:
    """The seconds a ban's text names at its end, as in `Try again in 29m59s`; None when it names none."""
    match = _DURATION.match(text.rstrip(".").rpartition(" ")[2])
    if match is None or not any(match.groups()):
        return None
    hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return hours * 3600 + minutes * 60 + seconds


def _forbidden(text: str, now_ms: int) -> errors.GatewayError:
    if is_ban(text):
        seconds = ban_seconds(text)
        until = None if seconds is None else now_ms + seconds * 1000
        return errors.Banned(
            f"The gateway has banned this address{_clock_time(until)} ({text}). Nothing is sent until then; restarting"
            " the gateway lifts the ban.",
            until=until,
        )
    return ManagementRefused(
        f"The gateway refuses management from here ({text or 'HTTP 403'}). See remote-management in its config.yaml:"
        " secret-key has to be set, and allow-remote unless it runs on this machine."
    )


def _clock_time(until: int | None) -> str:
    return "" if until is None else f" until {datetime.fromtimestamp(until / 1000, UTC):%H:%M} UTC"


def _not_found(request: Request, reply: Reply, text: str, *, recognized: bool) -> errors.GatewayError:
    if release_of(reply.header) is not None or (recognized and reply.body.strip() == _NO_ROUTE):
        if text:
            return errors.NotFound(f"The gateway does not find it: {text}.")
        return PathUnknown(
            f"The gateway has no {request.method} {request.path}: it is too old for it, or only a plugin serves it."
        )
    if reply.body.strip():
        return Misdirected("Something else than a gateway answers at this address. Check the address and the port.")
    return Misdirected(
        "Management is switched off in this gateway, so none of its paths exist: set remote-management.secret-key in"
        " its config.yaml, or MANAGEMENT_PASSWORD in its environment. If it is on, the address names a path that is not"
        " the gateway's root: leave the path out."
    )


def _unsaved(reply: Reply, text: str) -> errors.Rejected | None:
    """Return the refusal of our own gateway to save its configuration; None for any other answer."""
    release = release_of(reply.header)
    refusal = save_refusal(text) if release is not None and release.own else None
    return None if refusal is None else errors.Rejected(refusal.code, refusal.text, refusal.parameters)


def _seconds(text: str) -> float | None:
    return float(text) if text.isascii() and text.isdecimal() else None
