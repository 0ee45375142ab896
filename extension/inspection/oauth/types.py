"""Types of OAuth files: how each is checked, and where.

Together with the table of API-key families this is the only place of the inspection that knows a vendor by name. The
addresses are the vendors' own; a stand-in can take their place, see `extension.inspection.requests.vendors`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from adapter.port import Account
from extension.inspection.accounts.families import ProbeEndpoint
from extension.inspection.oauth.readings import (
    PoolReading,
    read_antigravity,
    read_claude,
    read_codex,
    read_gemini_cli,
    read_kimi,
    read_nothing,
    read_xai,
)
from extension.reasons.codes import ReasonCode

GENERIC: Final = "generic"
"""Token of the row for every type without one of its own."""

ACCOUNT: Final = "{account}"
"""Stands in a header for the vendor's id of the account; the header is left out when that is not known."""

PROJECT: Final = "{project}"
"""Stands in a body for the vendor's id of the project."""

REVOKED_CODES: Final = frozenset({"token_revoked", "account_deactivated"})
"""Error codes by which any vendor says that a log-in is withdrawn for good."""


@dataclass(frozen=True, slots=True)
class OAuthCheck:
    """One request of a type. `address` is whole, or a path below the file's own base address where it starts with `/`.

    `body` is sent as it is; an endpoint that asks a model gets its smallest question instead.
    """

    endpoint: ProbeEndpoint
    address: str
    reading: PoolReading = read_nothing
    method: str = "GET"
    body: str = ""


@dataclass(frozen=True, slots=True)
class OAuthType:
    """One row of the table of types: at most three checks, the next one sent while nothing is settled.

    `base` is the address for paths when the file has none of its own. `revoked` are error codes beyond the common ones.
    """

    label: str
    checks: tuple[OAuthCheck, ...]
    headers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    base: str = ""
    default_model: str = ""
    needs_project: bool = False
    revoked: frozenset[str] = frozenset()


_GOOGLE: Final = "cloudcode-pa.googleapis.com/v1internal"
_ANTIGRAVITY_HOSTS: Final = ("daily-cloudcode-pa", "daily-cloudcode-pa.sandbox", "cloudcode-pa")
_GROK: Final = "https://cli-chat-proxy.grok.com/v1"

TYPES: Mapping[str, OAuthType] = MappingProxyType(
    {
        "codex": OAuthType(
            label="Codex",
            checks=(OAuthCheck(ProbeEndpoint.USAGE, "https://chatgpt.com/backend-api/wham/usage", read_codex),),
            headers=MappingProxyType(
                {
                    "Chatgpt-Account-Id": ACCOUNT,
                    "User-Agent": "codex_cli_rs/0.76.0 (Debian 13.0.0; x86_64) WindowsTerminal",
                }
            ),
            revoked=frozenset({"token_invalidated", "deactivated_workspace"}),
        ),
        "claude": OAuthType(
            label="Claude",
            checks=(OAuthCheck(ProbeEndpoint.USAGE, "https://api.anthropic.com/api/oauth/usage", read_claude),),
            headers=MappingProxyType({"anthropic-beta": "oauth-2025-04-20"}),
        ),
        "gemini-cli": OAuthType(
            label="Gemini CLI",
            checks=(
                OAuthCheck(
                    ProbeEndpoint.USAGE,
                    f"https://{_GOOGLE}:retrieveUserQuota",
                    read_gemini_cli,
                    "POST",
                    f'{{"project":{PROJECT}}}',
                ),
            ),
            needs_project=True,
        ),
        "antigravity": OAuthType(
            label="Antigravity",
            checks=tuple(
                OAuthCheck(
                    ProbeEndpoint.USAGE,
                    f"https://{host}.googleapis.com/v1internal:retrieveUserQuotaSummary",
                    read_antigravity,
                    "POST",
                    "{}",
                )
                for host in _ANTIGRAVITY_HOSTS
            ),
            headers=MappingProxyType({"User-Agent": "antigravity/1.11.5 windows/amd64"}),
        ),
        "kimi": OAuthType(
            label="Kimi",
            checks=(
                OAuthCheck(ProbeEndpoint.USAGE, "/usages", read_kimi),
                OAuthCheck(ProbeEndpoint.CHAT, "/chat/completions", method="POST"),
            ),
            base="https://api.kimi.com/coding/v1",
            default_model="kimi-for-coding",
        ),
        "xai": OAuthType(
            label="xAI",
            checks=(
                OAuthCheck(ProbeEndpoint.BILLING, f"{_GROK}/billing?format=credits", read_xai),
                OAuthCheck(ProbeEndpoint.BILLING, f"{_GROK}/billing", read_xai),
                OAuthCheck(ProbeEndpoint.CHAT, "/chat/completions", method="POST"),
            ),
            headers=MappingProxyType(
                {
                    "x-xai-token-auth": "xai-grok-cli",
                    "x-grok-client-version": "0.2.93",
                    "x-userid": ACCOUNT,
                    "User-Agent": "grok-pager/0.2.93 grok-shell/0.2.93",
                }
            ),
            base="https://api.x.ai/v1",
            default_model="grok-4.5",
        ),
        GENERIC: OAuthType(
            label="Other types",
            checks=(
                OAuthCheck(ProbeEndpoint.MODELS, "/models"),
                OAuthCheck(ProbeEndpoint.CHAT, "/chat/completions", method="POST"),
            ),
            default_model="gpt-4o-mini",
        ),
    }
)
"""The types by the provider id the gateway gives their files."""

UNPROBED: Mapping[str, ReasonCode] = MappingProxyType({"vertex": ReasonCode.NO_TOKEN_IN_FILE})
"""Types whose files hold nothing a check could be sent with, and the reason to show."""


def type_of(account: Account) -> str:
    """Return the token of an OAuth file's own type; types outside the table are generic."""
    provider = account.provider.strip().lower()
    return provider if provider in TYPES else GENERIC


def revoked_codes(token: str) -> frozenset[str]:
    """Return the error codes by which this type says that a log-in is withdrawn for good."""
    return REVOKED_CODES | TYPES[token].revoked
