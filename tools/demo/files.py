"""Fake OAuth files of the demo pool: nothing in them opens anything."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

_EXPIRED = "2030-01-01T00:00:00Z"
_REFRESHED = "2026-01-01T00:00:00Z"


def demo_token(owner: str, kind: str) -> str:
    """Return a token of a file: the same every time, and no other file's."""
    return f"demo-{kind}-token-{sha256(f'{owner} {kind}'.encode()).hexdigest()[:20]}"


def _claude(email: str, **more: Any) -> dict[str, Any]:
    return {
        "type": "claude",
        "email": email,
        "access_token": demo_token(email, "access"),
        "refresh_token": demo_token(email, "refresh"),
        "expired": _EXPIRED,
        "last_refresh": _REFRESHED,
        **more,
    }


def _codex(email: str) -> dict[str, Any]:
    return {**_claude(email), "type": "codex", "account_id": "demo-account"}


OAUTH_FILES: Mapping[str, Mapping[str, Any]] = {
    "claude-ada@example.com.json": _claude("ada@example.com"),
    "claude-bob@example.com.json": _claude("bob@example.com", disabled=True),
    "codex-cy@example.com-plus.json": _codex("cy@example.com"),
    "kimi-1700000000000.json": {**_claude("dee@example.com"), "type": "kimi"},
}
"""File name and content of each OAuth account; one of the four is disabled."""


def demo_tokens() -> tuple[str, ...]:
    """Return every token of the files, for a test that looks for leaks."""
    return tuple(content[name] for content in OAUTH_FILES.values() for name in ("access_token", "refresh_token"))


def file_texts() -> dict[str, str]:
    """Return the files' texts by name."""
    return {name: json.dumps(content, indent=2) + "\n" for name, content in OAUTH_FILES.items()}
