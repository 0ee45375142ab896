"""Upstream families: dialects, addresses and authentication.

Everything that depends on a family is in this table; no other module of the package contains one.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fnmatch import fnmatchcase

from gateway.internal.configuration.sections import Section
from gateway.internal.pool.credential import Credential
from gateway.internal.usage.counts import Dialect


class Action(StrEnum):
    """A client's action; each has one path in the interface of a family."""

    CHAT = "chat"
    COMPLETIONS = "completions"
    RESPONSES = "responses"
    MESSAGES = "messages"
    COUNT_TOKENS = "count tokens"
    GEMINI = "gemini"

    @property
    def dialect(self) -> Dialect:
        """Protocol of the action."""
        return _DIALECTS[self]


_DIALECTS = {
    Action.CHAT: Dialect.CHAT,
    Action.COMPLETIONS: Dialect.CHAT,
    Action.RESPONSES: Dialect.RESPONSES,
    Action.MESSAGES: Dialect.MESSAGES,
    Action.COUNT_TOKENS: Dialect.MESSAGES,
    Action.GEMINI: Dialect.GEMINI,
}


@dataclass(frozen=True, slots=True)
class Family:
    """A kind of upstream.

    Attributes:
        name: Name in model lists.
        owner: ``owned_by`` of its models.
        executor: ``executor_type`` of its usage records.
        base_url: Default base URL; empty where the credential must have one. ``{region}`` is the location with a
            hyphen, or empty for ``global``.
        paths: Path below the base URL by action; ``{model}``, ``{call}``, ``{project}`` and ``{location}`` are filled
            in. Without any its credentials are managed, not used.
        key_header: Header of an API key; ``Authorization`` carries it as a bearer token.
        oauth_base_url: Base URL for access tokens, where it differs.
        oauth_headers: Extra headers of a request with an access token.
        patterns: Patterns of models for credentials without a model list.
        models: Listed models for these: name and display name.
    """

    name: str
    owner: str
    executor: str
    base_url: str
    paths: Mapping[Action, str]
    key_header: str = "Authorization"
    oauth_base_url: str = ""
    oauth_headers: Mapping[str, str] = field(default_factory=dict)
    patterns: tuple[str, ...] = ()
    models: Mapping[str, str] = field(default_factory=dict)

    def matches(self, model: str) -> bool:
        return any(fnmatchcase(model.lower(), pattern) for pattern in self.patterns)


_OPENAI = {Action.CHAT: "/chat/completions", Action.COMPLETIONS: "/completions"}

_GEMINI_MODELS = {
    "gemini-2.5-pro": "Gemini 2.5 Pro",
    "gemini-2.5-flash": "Gemini 2.5 Flash",
    "gemini-2.5-flash-lite": "Gemini 2.5 Flash Lite",
    "gemini-3-pro-preview": "Gemini 3 Pro Preview",
}

_VERTEX_MODELS = {"gemini-2.5-pro": "Gemini 2.5 Pro", "gemini-2.5-flash": "Gemini 2.5 Flash"}

COMPAT = Family("openai-compatibility", "openai-compatibility", "OpenAICompatExecutor", "", _OPENAI)

FAMILIES: Mapping[str, Family] = {
    "claude": Family(
        "claude",
        "anthropic",
        "ClaudeExecutor",
        "https://api.anthropic.com",
        {Action.MESSAGES: "/v1/messages", Action.COUNT_TOKENS: "/v1/messages/count_tokens"},
        key_header="X-Api-Key",
        oauth_headers={"Anthropic-Beta": "oauth-2025-04-20"},
        patterns=("claude-*",),
        models={
            "claude-3-5-haiku-20241022": "Claude 3.5 Haiku",
            "claude-3-7-sonnet-20250219": "Claude 3.7 Sonnet",
            "claude-sonnet-4-20250514": "Claude 4 Sonnet",
            "claude-opus-4-20250514": "Claude 4 Opus",
            "claude-opus-4-1-20250805": "Claude 4.1 Opus",
            "claude-sonnet-4-5-20250929": "Claude 4.5 Sonnet",
            "claude-haiku-4-5-20251001": "Claude 4.5 Haiku",
            "claude-opus-4-5-20251101": "Claude 4.5 Opus",
        },
    ),
    "gemini": Family(
        "gemini",
        "google",
        "GeminiExecutor",
        "https://generativelanguage.googleapis.com",
        {Action.GEMINI: "/v1beta/models/{model}:{call}"},
        key_header="X-Goog-Api-Key",
        patterns=("gemini-*", "gemma-*"),
        models=_GEMINI_MODELS,
    ),
    "gemini-interactions": Family(
        "gemini", "google", "GeminiExecutor", "https://generativelanguage.googleapis.com", {}, models=_GEMINI_MODELS
    ),
    "vertex": Family(
        "vertex",
        "google",
        "GeminiVertexExecutor",
        "https://aiplatform.googleapis.com",
        {Action.GEMINI: "/v1/publishers/google/models/{model}:{call}"},
        key_header="X-Goog-Api-Key",
        patterns=("gemini-*",),
        models=_VERTEX_MODELS,
    ),
    "codex": Family(
        "codex",
        "openai",
        "CodexExecutor",
        "",
        {Action.RESPONSES: "/responses"},
        oauth_base_url="https://chatgpt.com/backend-api/codex",
        patterns=("gpt-*", "codex-*", "o[0-9]*"),
        models={
            "gpt-5": "GPT 5",
            "gpt-5-codex": "GPT 5 Codex",
            "gpt-5-codex-mini": "GPT 5 Codex Mini",
            "gpt-5.1": "GPT 5.1",
            "gpt-5.1-codex": "GPT 5.1 Codex",
        },
    ),
    "xai": Family(
        "xai",
        "xai",
        "XAIExecutor",
        "https://api.x.ai/v1",
        {**_OPENAI, Action.RESPONSES: "/responses"},
        patterns=("grok-*",),
        models={"grok-4": "Grok 4", "grok-code-fast-1": "Grok Code Fast 1"},
    ),
    "kimi": Family(
        "kimi",
        "moonshot",
        "KimiExecutor",
        "https://api.kimi.com/coding/v1",
        {Action.CHAT: "/chat/completions"},
        patterns=("kimi-*",),
        models={"kimi-k2": "Kimi K2", "kimi-k2-thinking": "Kimi K2 Thinking"},
    ),
}
"""Families by provider of their credentials; compat providers all have ``COMPAT``."""

VERTEX_ACCOUNT = Family(
    "vertex",
    "google",
    "GeminiVertexExecutor",
    "https://{region}aiplatform.googleapis.com",
    {Action.GEMINI: "/v1/projects/{project}/locations/{location}/publishers/google/models/{model}:{call}"},
    patterns=("gemini-*",),
    models=_VERTEX_MODELS,
)
"""Service account files of vertex, with project and location."""


def family_of(credential: Credential) -> Family | None:
    """Return the family of a credential, None when it cannot be used for inference."""
    if credential.section is Section.COMPAT:
        return COMPAT
    if credential.provider == "vertex" and credential.is_file:
        return VERTEX_ACCOUNT if isinstance(credential.metadata.get("service_account"), dict) else None
    return FAMILIES.get(credential.provider)
