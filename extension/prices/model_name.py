"""Names of models and providers as gateways write them, brought to the form of the lists."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_PREFIXES: Final = ("models/", "publishers/google/models/", "publishers/anthropic/models/")
_LEVEL: Final = re.compile(r"\([^()]*\)$")

PROVIDERS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "aistudio": "google",
        "antigravity": "google",
        "claude": "anthropic",
        "claude-api-key": "anthropic",
        "codex": "openai",
        "codex-api-key": "openai",
        "gemini": "google",
        "gemini-api-key": "google",
        "gemini-cli": "google",
        "interactions-api-key": "google",
        "kimi": "moonshotai",
        "moonshot": "moonshotai",
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
    name = provider.strip().lower().removeprefix("compatible-")
    return PROVIDERS.get(name, name)


def model_name(model: str) -> str:
    """Return the model's name without the path of its API and without a thinking level in parentheses."""
    name = _LEVEL.sub("", model.strip().lower()).strip()
    return next((name.removeprefix(prefix) for prefix in _PREFIXES if name.startswith(prefix)), name)
