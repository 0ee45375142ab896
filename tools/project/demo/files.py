"""Fake OAuth files of the demo pool as a table: nothing in them opens anything, their tokens name their behavior."""

import json
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from .behavior import Behavior, demo_key

_EXPIRED = "2030-01-01T00:00:00Z"
_REFRESHED = "2026-01-01T00:00:00Z"


@dataclass(frozen=True, slots=True)
class DemoFile:
    """One OAuth file. `name` is its file name, `type` the provider's.

    `verdict`, `first_phase` and `configurable` are the expected results of an inspection that sees the account for the
    first time. `addressed` says that the file names the stand-in as its own base address.
    """

    name: str
    type: str
    behavior: Behavior
    verdict: str
    first_phase: str
    configurable: str
    comment: str
    disabled: bool = False
    addressed: bool = False

    @property
    def access_token(self) -> str:
        """The token probes are sent with, which no other account has."""
        return demo_key(self.behavior, self.name)

    @property
    def refresh_token(self) -> str:
        """A token nothing is ever sent with."""
        return f"demo-refresh-token-{sha256(self.name.encode()).hexdigest()[:20]}"

    def content(self, address: str) -> dict[str, Any]:
        """Return the content of the file, for a stand-in at an address.

        A file that names no base address would be used at its vendor's: the stand-in is its proxy and connects to
        nothing.
        """
        owner = self.name.removeprefix(f"{self.type}-").removesuffix(".json").partition("@")[0]
        content: dict[str, Any] = {
            "type": self.type,
            "email": f"{owner}@example.com",
            "access_token": self.access_token,
            "refresh_token": self.refresh_token,
            "expired": _EXPIRED,
            "last_refresh": _REFRESHED,
        }
        if self.type == "codex":
            content["account_id"] = f"demo-account-{owner}"
        if self.addressed:
            content["base_url"] = f"{address}/{owner}/v1"
        else:
            content["proxy_url"] = address
        if self.disabled:
            content["disabled"] = True
        return content


_B = Behavior

DEMO_FILES: tuple[DemoFile, ...] = (
    DemoFile("claude-ada@example.com.json", "claude", _B.OK, "healthy", "keep", "keep", "works"),
    DemoFile(
        "claude-bob@example.com.json", "claude", _B.OK, "healthy", "enable", "enable",
        "disabled, yet it works", disabled=True,
    ),
    DemoFile(
        "claude-eve@example.com.json", "claude", _B.EXPIRED, "relogin_needed", "disable", "disable",
        "401: sign in again",
    ),
    DemoFile("claude-gus@example.com.json", "claude", _B.SHORT_FULL, "out_of_quota", "disable", "keep", "5 h used"),
    DemoFile("claude-ida@example.com.json", "claude", _B.REVOKED, "revoked", "disable", "disable", "withdrawn"),
    DemoFile(
        "claude-jo@example.com.json", "claude", _B.LONG_FULL, "out_of_quota", "keep", "keep",
        "week used up, disabled already", disabled=True,
    ),
    DemoFile("codex-cy@example.com-plus.json", "codex", _B.OK, "healthy", "keep", "keep", "works"),
    DemoFile("codex-fay@example.com-plus.json", "codex", _B.REVOKED, "revoked", "disable", "disable", "withdrawn"),
    DemoFile("codex-hal@example.com-plus.json", "codex", _B.LONG_FULL, "out_of_quota", "disable", "keep", "week used"),
    DemoFile("codex-kim@example.com-plus.json", "codex", _B.SHORT_FULL, "out_of_quota", "disable", "keep", "5 h used"),
    DemoFile("codex-lee@example.com-plus.json", "codex", _B.UNTOLD, "inconclusive", "keep", "keep", "tells no quota"),
    DemoFile("codex-max@example.com-plus.json", "codex", _B.FAILING, "provider_error", "disable", "keep", "500"),
    DemoFile(
        "codex-ned@example.com-plus.json", "codex", _B.EXPIRED, "relogin_needed", "keep", "keep",
        "401, disabled already", disabled=True,
    ),
    DemoFile("kimi-1700000000000.json", "kimi", _B.OK, "healthy", "keep", "keep", "works"),
    DemoFile("kimi-1700000000001.json", "kimi", _B.LONG_FULL, "out_of_quota", "disable", "keep", "plan used up"),
    DemoFile(
        "kimi-1700000000002.json", "kimi", _B.EXPIRED, "relogin_needed", "disable", "disable",
        "401: sign in again",
    ),
    DemoFile("xai-ora@example.com.json", "xai", _B.OK, "healthy", "keep", "keep", "works"),
    DemoFile("xai-pat@example.com.json", "xai", _B.LONG_FULL, "out_of_quota", "disable", "keep", "week used"),
    DemoFile("xai-quinn@example.com.json", "xai", _B.UNTOLD, "healthy", "keep", "keep", "tells no credits, but chats"),
    DemoFile("xai-ray@example.com.json", "xai", _B.REVOKED, "revoked", "disable", "disable", "withdrawn"),
    DemoFile("antigravity-sue@example.com.json", "antigravity", _B.OK, "healthy", "keep", "keep", "works"),
    DemoFile(
        "antigravity-tom@example.com.json", "antigravity", _B.SHORT_FULL, "out_of_quota", "disable", "keep",
        "5 h used up in both groups",
    ),
    DemoFile(
        "antigravity-uma@example.com.json", "antigravity", _B.EXPIRED, "relogin_needed", "disable", "disable",
        "401: sign in again",
    ),
    DemoFile(
        "qwen-val@example.com.json", "qwen", _B.OK, "healthy", "keep", "keep",
        "a type of no special check, asked at its own address", addressed=True,
    ),
    DemoFile(
        "qwen-wes@example.com.json", "qwen", _B.OK, "no_base_url", "keep", "keep", "the same without an address"
    ),
)  # fmt: skip
"""Every OAuth account of the demo pool. The gateway does not load files of type gemini-cli, so there is none."""


def demo_tokens() -> tuple[str, ...]:
    """Return every token of the files, for a test that looks for leaks."""
    return tuple(token for file in DEMO_FILES for token in (file.access_token, file.refresh_token))


def file_texts(address: str) -> dict[str, str]:
    """Return the files' texts by name, for a stand-in at an address."""
    return {file.name: json.dumps(file.content(address), indent=2) + "\n" for file in DEMO_FILES}
