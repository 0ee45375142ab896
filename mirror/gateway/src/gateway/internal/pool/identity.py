"""How credentials are named: ids, and the short ``auth_index`` handles. Both are recomputed, never stored."""

import hashlib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from gateway.internal.configuration.sections import SECTIONS, Section

_INDEX_DIGITS = 16
_HASH_DIGITS = 12
_COMPAT_PREFIX = "openai-compatible-"
_COMPAT = "openai-compatibility"
_BY_PROVIDER = {
    facts.provider: facts.index_prefix
    for section, facts in SECTIONS.items()
    if facts.index_prefix and section is not Section.COMPAT
}


class StableIds:
    """Makes the ids of one synthesis run: ``kind:hash``, repeated ones with ``-1``, ``-2``, … in order."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()

    def make(self, kind: str, *parts: str) -> tuple[str, str]:
        """Return (id, hash with suffix) for a credential made of these parts.

        Args:
            kind: First part of the id, e.g. ``claude:apikey``.
            parts: What makes the credential itself: key, base address, …; blanks around them do not count.
        """
        made = self.numbered(stem_of(kind, *parts))
        return made, made.removeprefix(f"{kind}:")

    def numbered(self, stem: str) -> str:
        """Return the id of the next credential with this stem."""
        count = self._seen[stem]
        self._seen[stem] += 1
        return f"{stem}-{count}" if count else stem


def stem_of(kind: str, *parts: str) -> str:
    """Return what the ids of all credentials made of these parts begin with; see ``StableIds.make``."""
    digest = hashlib.sha256(kind.encode())
    for part in parts:
        digest.update(b"\0" + part.strip().encode())
    return f"{kind}:{digest.hexdigest()[:_HASH_DIGITS]}"


def index_of_seed(seed: str) -> str:
    """Return the auth_index of a seed: 16 lower-case hexadecimal digits."""
    return hashlib.sha256(seed.encode()).hexdigest()[:_INDEX_DIGITS]


def index_of_file(path: Path, metadata: Mapping[str, object], provider: str) -> str:
    """Return the auth_index of a credential file.

    Args:
        path: Absolute, cleaned path of the file.
        metadata: Its parsed content; a ``type`` in it beats the provider.
        provider: Used when there is no type.
    """
    kind = metadata.get("type")
    word = kind.strip().lower() if isinstance(kind, str) else ""
    return index_of_seed(f"{word or provider}:{path}")


def index_of_key(credential_id: str, provider: str, *, compat_name: str, base_url: str, api_key: str) -> str:
    """Return the auth_index of a configured key; it follows key and base address, or the id where there is no rule."""
    prefix = _COMPAT if compat_name or provider == _COMPAT else _BY_PROVIDER.get(provider, "")
    if not (prefix and api_key):
        return index_of_seed(f"id:{credential_id}")
    return index_of_seed(f"{prefix}:{base_url}+{api_key}")


def compat_kind(name: str) -> str:
    """Return the id kind of a compat provider's keys."""
    return f"{_COMPAT}:{name.strip().lower() or _COMPAT}"


def compat_provider(name: str) -> str:
    """Return the provider field of a compat provider's credentials."""
    lower = name.strip().lower()
    if not lower:
        return _COMPAT
    return lower if lower == _COMPAT or lower.startswith(_COMPAT_PREFIX) else _COMPAT_PREFIX + lower
