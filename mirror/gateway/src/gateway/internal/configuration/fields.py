"""Fields of the entries of each key section: one table for reading, showing, patching and writing."""

from collections.abc import Iterable
from typing import Any

from gateway.internal.configuration.normalisation import excluded_models, prefix
from gateway.internal.configuration.sections import Section
from gateway.internal.configuration.shapes import Field, ListOf, Number, Structure, Switch, Text, TextMap

HIGHEST_WEIGHT_TEXT = "weight must not exceed 1000000"
PROFILE = "claude-code-cli"
_PROFILES = {"": "", PROFILE: PROFILE, "oauth-cli": PROFILE}


def headers(pairs: dict[str, str]) -> dict[str, str]:
    """Return headers trimmed and sorted by name, without empty names or values."""
    trimmed = {name.strip(): value.strip() for name, value in pairs.items()}
    return {name: trimmed[name] for name in sorted(trimmed) if name and trimmed[name]}


def profile(text: str) -> str:
    """Return a fingerprint profile by its canonical name; an unknown one as written."""
    return _PROFILES.get(text.strip().lower(), text.strip())


def known_profile(text: str) -> bool:
    """Return whether a fingerprint profile is one the stock gateway accepts."""
    return text.strip().lower() in _PROFILES


def unknown_profile_text(text: str) -> str:
    return f'unsupported fingerprint-profile "{text.strip()}" (supported: "{PROFILE}" or empty)'


def _trimmed(text: str) -> str:
    return text.strip()


def _patterns(texts: Iterable[str]) -> list[str]:
    return list(excluded_models(texts))


def _named(models: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [model for model in models if model.get("name") or model.get("alias")]


def _named_twice(models: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [model for model in models if model.get("name") and model.get("alias")]


_THINKING = Structure(
    (
        Field("min", Number()),
        Field("max", Number()),
        Field("zero-allowed", Switch(), json_name="zero_allowed"),
        Field("dynamic-allowed", Switch(), json_name="dynamic_allowed"),
        Field("levels", ListOf(Text())),
    )
)
_NAMES = (
    Field("name", Text(), always=True, tidy=_trimmed),
    Field("alias", Text(), always=True, tidy=_trimmed),
    Field("display-name", Text()),
)
_LENGTH = Field("max-context-length", Number())
_FORCE = Field("force-mapping", Switch())
_TAIL = (Field("is-compat", Switch()), Field("thinking", _THINKING))
_MODEL = Structure((*_NAMES, _LENGTH, _FORCE, *_TAIL))
_VERTEX_MODEL = Structure((*_NAMES, _FORCE, Field("thinking", _THINKING)))
_COMPAT_MODEL = Structure(
    (
        *_NAMES,
        _LENGTH,
        _FORCE,
        Field("image", Switch()),
        Field("input-modalities", ListOf(Text())),
        Field("output-modalities", ListOf(Text())),
        *_TAIL,
    )
)
RULE = Structure(
    (
        Field("status", Number()),
        Field("match", ListOf(Text())),
        Field("match-regexr", ListOf(Text())),
        Field("action", Text()),
    )
)
"""A rule of ``request-scoped-errors``: upstream errors that concern the request, not the key."""

_KEY = Field("api-key", Text(), always=True, patchable=True, tidy=_trimmed)
_PRIORITY = Field("priority", Number())
_WEIGHT = Field("weight", Number(), optional=True, patchable=True)
_PREFIX = Field("prefix", Text(), patchable=True, tidy=prefix)
_BASE = Field("base-url", Text(), patchable=True, tidy=_trimmed)
_BASE_ALWAYS = Field("base-url", Text(), always=True, patchable=True, tidy=_trimmed)
_PROXY = Field("proxy-url", Text(), patchable=True, tidy=_trimmed)
_PROXY_ALWAYS = Field("proxy-url", Text(), always=True, patchable=True, tidy=_trimmed)
_HEADERS = Field("headers", TextMap(), patchable=True, tidy=headers)
_EXCLUDED = Field("excluded-models", ListOf(Text()), patchable=True, tidy=_patterns)
_COOLING = Field("disable-cooling", Switch(), optional=True, patchable=True)
_RETRY = Field("request-retry", Number(), optional=True, patchable=True)
_RULES = Field("request-scoped-errors", ListOf(RULE), patchable=True)
_LIMITS = (_COOLING, _RETRY)
_MODELS = Field("models", ListOf(_MODEL), always=True, patchable=True, tidy=_named)
_CLOAK = Structure(
    (
        Field("mode", Text()),
        Field("strict-mode", Switch()),
        Field("sensitive-words", ListOf(Text())),
        Field("cache-user-id", Switch(), optional=True),
    )
)
_GEMINI = Structure(
    (
        _KEY,
        _PRIORITY,
        _WEIGHT,
        _PREFIX,
        _BASE,
        _PROXY,
        Field("models", ListOf(_MODEL)),
        _HEADERS,
        _EXCLUDED,
        *_LIMITS,
        _RULES,
    )
)
_CLAUDE = Structure(
    (
        _KEY,
        _PRIORITY,
        _WEIGHT,
        _PREFIX,
        _BASE_ALWAYS,
        _PROXY_ALWAYS,
        _MODELS,
        _HEADERS,
        _EXCLUDED,
        Field("rebuild-mid-system-message", Switch(), patchable=True),
        *_LIMITS,
        _RULES,
        Field("cloak", _CLOAK),
        Field("fingerprint-profile", Text(), patchable=True, tidy=profile),
        Field("experimental-cch-signing", Switch()),
    )
)
_VERTEX = Structure(
    (
        _KEY,
        _PRIORITY,
        _WEIGHT,
        _PREFIX,
        _BASE,
        _PROXY,
        _HEADERS,
        Field("models", ListOf(_VERTEX_MODEL), patchable=True, tidy=_named_twice),
        _EXCLUDED,
        *_LIMITS,
    )
)
KEY_ENTRY = Structure(
    (
        Field("api-key", Text(), always=True, tidy=_trimmed),
        Field("weight", Number(), optional=True),
        Field("proxy-url", Text(), tidy=_trimmed),
    )
)
"""An element of a compat provider's ``api-key-entries``."""

_COMPAT = Structure(
    (
        Field("name", Text(), always=True, patchable=True, tidy=_trimmed),
        _PRIORITY,
        Field("disabled", Switch(), always=True, patchable=True),
        _PREFIX,
        _BASE_ALWAYS,
        Field("api-key-entries", ListOf(KEY_ENTRY), patchable=True),
        Field("models", ListOf(_COMPAT_MODEL), patchable=True),
        _HEADERS,
        Field("support-prompt-cache-key", Switch(), patchable=True),
        *_LIMITS,
        _RULES,
    )
)


def _codex(*, xai: bool) -> Structure:
    """Return the fields of codex and xai, which differ in the patchable ones."""
    head = (_KEY, Field("priority", Number(), patchable=xai), _WEIGHT, _PREFIX, _BASE_ALWAYS)
    sockets = Field("websockets", Switch(), patchable=xai)
    search = () if xai else (Field("alpha-search", Switch(), patchable=True),)
    return Structure((*head, sockets, _PROXY_ALWAYS, *search, _MODELS, _HEADERS, _EXCLUDED, *_LIMITS, _RULES))


ENTRIES: dict[Section, Structure] = {
    Section.GEMINI: _GEMINI,
    Section.INTERACTIONS: _GEMINI,
    Section.CLAUDE: _CLAUDE,
    Section.CODEX: _codex(xai=False),
    Section.XAI: _codex(xai=True),
    Section.COMPAT: _COMPAT,
    Section.VERTEX: _VERTEX,
}
"""Structure of the entries of each section."""
