"""Names of providers in one form: as the price lists write them, whatever a gateway, a list or a person writes."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_PREFIXES: Final = ("openai-compatible-", "compatible-")
"""Stock releases up to 7.2.140 name a compatible provider so in records, and our listing so on the page."""

PROVIDERS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "aistudio": "google",
        "amazon-bedrock": "aws",
        "antigravity": "google",
        "azure_ai": "azure",
        "bedrock": "aws",
        "claude": "anthropic",
        "claude-api-key": "anthropic",
        "codex": "openai",
        "codex-api-key": "openai",
        "fireworks-ai": "fireworks",
        "fireworks_ai": "fireworks",
        "gemini": "google",
        "gemini-api-key": "google",
        "gemini-cli": "google",
        "google-vertex": "google",
        "google-vertex-anthropic": "google",
        "grok": "x-ai",
        "interactions-api-key": "google",
        "kimi": "moonshotai",
        "moonshot": "moonshotai",
        "together-ai": "together",
        "together_ai": "together",
        "togetherai": "together",
        "vertex": "google",
        "vertex-api-key": "google",
        "vertex_ai": "google",
        "xai": "x-ai",
        "xai-api-key": "x-ai",
    }
)
"""Provider in the built-in list of a gateway's or another list's provider; others keep their name."""


def provider_name(provider: str) -> str:
    """Return the provider's name in the lists."""
    name = provider.strip().lower()
    for prefix in _PREFIXES:
        name = name.removeprefix(prefix)
    return PROVIDERS.get(name, name)
