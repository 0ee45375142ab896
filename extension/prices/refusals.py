"""Refusals: failed attempts without a token count that certainly were not served, so that they cost nothing.

Theory of operation: a record says that an attempt failed and with which status, and not how far the answer had come.
Gateways give statuses of their own to answers that broke off (stock v7.2.140 and ours): 499 when the client left, 500
or the status already sent when the connection broke, 408 when a Codex stream ended early, 502 for a broken event stream
and 504 for a deadline. Providers charge for what they generated until then. The other statuses of a client's error, and
those that say the service takes no requests now, answer a request instead of serving it.
"""

from typing import Final

_FIRST_CLIENT_ERROR: Final = 400
_FIRST_SERVER_ERROR: Final = 500
_BROKEN_OFF: Final = frozenset({408, 499})
_NOT_TAKEN: Final = frozenset({501, 503, 529})
"""Not implemented, unavailable, and overloaded (Anthropic's own)."""


def certainly_unserved(status: int) -> bool:
    """Decide whether a failed attempt with this status was refused before the upstream began to serve it."""
    if _FIRST_CLIENT_ERROR <= status < _FIRST_SERVER_ERROR:
        return status not in _BROKEN_OFF
    return status in _NOT_TAKEN
