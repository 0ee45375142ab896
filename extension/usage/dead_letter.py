"""Text of an unreadable record for the dead letters: as it came, without its secrets."""

import json
from collections.abc import Mapping
from typing import Any, Final

from adapter.privacy.secret import HIDDEN, Redactor

LONGEST: Final = 8_192
"""Characters that are kept."""
_PERSONAL: Final = frozenset(
    {"source", "api_key", "access_token_sha256", "client_ip", "x_forwarded_for", "user_agent", "response_headers"}
)
_DEEPEST: Final = 8


def letter_text(content: Any, redactor: Redactor) -> str:
    """Return a record as JSON text, its secrets and personal data hidden wherever else in it they occur."""
    known = Redactor(_values(content)) if isinstance(content, Mapping) else Redactor()
    hidden = json.dumps(_hidden(content, 0), ensure_ascii=True)
    return redactor.redact(known.redact(hidden))[:LONGEST]


def _values(content: Mapping[str, Any]) -> list[str]:
    return [value for name, value in content.items() if name in _PERSONAL and isinstance(value, str) and value]


def _hidden(content: Any, depth: int) -> Any:
    if depth > _DEEPEST:
        return HIDDEN
    if isinstance(content, Mapping):
        return {
            str(name): HIDDEN if name in _PERSONAL and value else _hidden(value, depth + 1)
            for name, value in content.items()
        }
    if isinstance(content, list):
        return [_hidden(each, depth + 1) for each in content]
    if depth == 0 and isinstance(content, str):
        return HIDDEN  # a bare text says nothing about what it is
    return content
