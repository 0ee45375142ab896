"""Answers to callers who are not, or no longer, authenticated."""

import json

from adapter.port import Denied
from extension.api.problems import Problem
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import because

CSRF_HEADER = "X-Poolkeeper-CSRF"
"""Header that carries the session's CSRF token on unsafe requests."""

_UNAUTHORISED_STATUS = 401
_NO_MANAGEMENT_STATUS = 404
_BUSY_STATUS = 429
_WRONG_KEY_HINT = (
    "Use the key that remote-management.secret-key was set to in the gateway's config.yaml; what begins with $2 there "
    "is its hash, not the key."
)


def remote_refused() -> Problem:
    """Say that the gateway takes no management request from this address."""
    refused = because(ReasonCode.REMOTE_REFUSED)
    return Problem(
        403,
        refused.text,
        "forbidden",
        "Set remote-management.allow-remote in the gateway's config.yaml, or open the page on its machine.",
        reasons=refused,
    )


def no_session(*, had_cookie: bool) -> Problem:
    """Say that there is no session, or none any more."""
    if had_cookie:
        return Problem(_UNAUTHORISED_STATUS, "The session has ended.", "no_session", "Sign in again.")
    return Problem(
        _UNAUTHORISED_STATUS,
        "You are not signed in, and the request has no management key.",
        "no_session",
        "Sign in, or send the management key in the header X-Management-Key.",
    )


def no_session_beside_key(text: str) -> Problem:
    """Say that there is no session, because the request has the key, as `text` tells."""
    hint = "A request with the key needs no session: send the key with each one."
    return Problem(_UNAUTHORISED_STATUS, f"There is no session. {text}", "no_session", hint)


def no_session_opened() -> Problem:
    """Say that a session would be of no use, because the gateway checks the key of each request."""
    return Problem(
        409,
        "No session was opened: the gateway of this plugin checks the management key of each request.",
        "no_sessions",
        "Send the management key with each request.",
    )


def csrf_missing() -> Problem:
    """Say that an unsafe request by session lacks its token."""
    return Problem(
        403, f"The header {CSRF_HEADER} is missing or wrong.", "csrf", "Reload the page; it fetches a new token."
    )


def refusal(denied: Denied) -> Problem:
    """Pass the gateway's refusal on in our form: same status, same text, same waiting time."""
    text = _text_of(denied.body)
    headers = {} if denied.retry_after is None else {"Retry-After": str(denied.retry_after)}
    if denied.status == _BUSY_STATUS:
        return Problem(denied.status, text, "busy", "Try again in a second; the key was not checked.", headers)
    if denied.retry_after is not None:
        return Problem(
            denied.status, text, "banned", "Wait, then use the right key; restarting the gateway lifts it too.", headers
        )
    if denied.status == _UNAUTHORISED_STATUS:
        return Problem(denied.status, text, "wrong_key", _WRONG_KEY_HINT)
    if denied.status == _NO_MANAGEMENT_STATUS:
        return no_management()
    return Problem(
        denied.status,
        text,
        "forbidden",
        "See remote-management in the gateway's config.yaml (allow-remote, secret-key).",
    )


def no_management() -> Problem:
    """Say that the gateway has no management key, so that none of these paths exists."""
    return Problem(
        _NO_MANAGEMENT_STATUS,
        "Management is switched off.",
        "no_management",
        "Set remote-management.secret-key in the gateway's config.yaml.",
    )


def _text_of(body: str) -> str:
    """Take the text out of the gateway's `{"error": text}`; a body of any other shape is not repeated."""
    try:
        parsed = json.loads(body)
    except ValueError:
        parsed = None
    text = parsed.get("error") if isinstance(parsed, dict) else None
    return text if isinstance(text, str) and text else "The gateway refuses this key."


def key_changed() -> Problem:
    """Say that the key of a request counts no more."""
    return Problem(_UNAUTHORISED_STATUS, "The management key has changed.", "wrong_key", _WRONG_KEY_HINT)


def role_insufficient() -> Problem:
    """Say that the role of an operator does not allow a request."""
    return Problem(403, "Your role does not allow this.", "role_insufficient", "Ask an admin of this fleet.")


def pool_unknown() -> Problem:
    """Say that there is no such gateway, or for this operator none."""
    return Problem(404, "There is no such gateway.", "pool_unknown", "Take a name from the list of gateways.")


def wrong_token() -> Problem:
    """Say that a token of an operator does not count."""
    text = "The token is wrong, revoked or expired."
    return Problem(_UNAUTHORISED_STATUS, text, "wrong_token", "Ask an admin of this fleet for another token.")


def no_role() -> Problem:
    """Say that a user whom a proxy names is no operator."""
    hint = "Ask an admin to add you as an operator, or to give one of your groups a role."
    return Problem(403, "You have no role in this fleet.", "no_role", hint)
