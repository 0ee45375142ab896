"""Credential files of auth-dir to credentials."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from gateway.internal.configuration.normalisation import HIGHEST_WEIGHT, excluded_models
from gateway.internal.pool.credential import Credential, Origin
from gateway.internal.pool.identity import index_of_file

_IGNORED_TYPES = frozenset({"", "gemini", "gemini-cli"})
_LEGACY_NAMES = {
    "proxy-url": "proxy_url",
    "base-url": "base_url",
    "api-key": "api_key",
    "excluded-models": "excluded_models",
    "request-retry": "request_retry",
}


@dataclass(frozen=True, slots=True)
class AuthFile:
    """One file as it was found.

    Attributes:
        path: Absolute, cleaned path.
        shown: The path as clients see it: auth-dir as configured, joined with the name.
        modified_ns: Modification time in nanoseconds since 1970.
    """

    path: Path
    shown: Path
    content: bytes = field(repr=False)
    modified_ns: int = 0


def synthesise_file(file: AuthFile, before: Credential | None, now: datetime) -> Credential | None:
    """Return the credential of a file, None when it holds none the gateway knows what to do with.

    Args:
        file: A file directly in auth-dir whose name ends in ``.json``.
        before: The credential the file held until now; it hands on its time of creation.
        now: Time of the scan.
    """
    metadata = parse_metadata(file.content)
    provider = _text(metadata, "type").lower() if metadata else ""
    if metadata is None or provider in _IGNORED_TYPES:
        return None
    weight = metadata.get("weight")
    if weight is not None and (not isinstance(weight, int) or isinstance(weight, bool) or weight > HIGHEST_WEIGHT):
        return None
    patterns = metadata.get("excluded_models")
    excluded = excluded_models(str(item) for item in patterns) if isinstance(patterns, list) else ()
    return Credential(
        id=file.path.name,
        auth_index=index_of_file(file.path, metadata, provider),
        provider=provider,
        label=_text(metadata, "email") or provider,
        origin=Origin.FILE,
        disabled=metadata.get("disabled") is True,
        revision=hashlib.sha256(file.content).hexdigest()[:16],
        base_url=_text(metadata, "base_url"),
        proxy_url=_text(metadata, "proxy_url"),
        headers=_headers(metadata.get("headers")),
        excluded_models=excluded,
        priority=_priority(metadata.get("priority")),
        weight=max(0, weight) if weight is not None else None,
        attributes={"auth_kind": "oauth", "path": str(file.shown), "source": str(file.shown)},
        metadata=metadata,
        file_name=file.path.name,
        path=file.path,
        size=len(file.content),
        created_at=before.created_at if before else now,
        updated_at=datetime.fromtimestamp(file.modified_ns / 1e9, UTC),
    )


def parse_metadata(content: bytes) -> dict[str, object] | None:
    """Return the object a credential file holds, legacy field names made canonical; None when it is not one."""
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    return {_LEGACY_NAMES.get(str(name), str(name)): item for name, item in value.items()}


def _text(metadata: Mapping[str, object], name: str) -> str:
    value = metadata.get(name)
    return value.strip() if isinstance(value, str) else ""


def _headers(value: object) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, dict):
        return ()
    return tuple(sorted((name, item) for name, item in value.items() if isinstance(item, str)))


def _priority(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return 0
    try:
        return int(value)
    except (ValueError, OverflowError):
        return 0
