"""Credential files of auth-dir to credentials."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from gateway.internal.configuration.normalisation import HIGHEST_WEIGHT, excluded_models
from gateway.internal.pool.credential import Credential, Origin
from gateway.internal.pool.identity import index_of_file

_WEIGHT, _USUAL_WEIGHT = "weight", 1
_WHOLE = re.compile(r"[-+]?[0-9]{1,18}\Z", re.ASCII)
_IGNORED_TYPES = frozenset({"", "gemini"})
_READ_AT_START_ONLY = "gemini-cli"
_LEGACY_NAMES = {
    name: name.replace("-", "_")
    for name in (
        "api-key",
        "base-url",
        "disable-cooling",
        "excluded-models",
        "fingerprint-profile",
        "model-aliases",
        "proxy-url",
        "request-retry",
        "request-scoped-errors",
        "tool-prefix-disabled",
    )
}


@dataclass(frozen=True, slots=True)
class AuthFile:
    """One file as it was found.

    Attributes:
        path: Absolute, cleaned path.
        shown: The path as clients see it: auth-dir as configured, joined with the name.
        name: The path within auth-dir, with slashes; the id of the credential.
        modified_ns: Modification time in nanoseconds since 1970.
    """

    path: Path
    shown: Path
    name: str
    content: bytes = field(repr=False)
    modified_ns: int = 0


def synthesise_file(file: AuthFile, before: Credential | None, now: datetime) -> Credential | None:
    """Return the credential of a file, None when it holds none the gateway knows what to do with.

    The stock gateway reads files in subfolders, and those of the type gemini-cli, at its start only, and in another way
    than the rest: their label differs.

    Args:
        file: A file of auth-dir whose name ends in ``.json``.
        before: The credential the file held until now; it hands on its time of creation.
        now: Time of the scan.
    """
    metadata = parse_metadata(file.content)
    provider = _text(metadata, "type").lower() if metadata else ""
    if metadata is None or provider in _IGNORED_TYPES:
        return None
    try:
        weight = weight_of(metadata)
    except ValueError:
        return None
    patterns = metadata.get("excluded_models")
    excluded = excluded_models(str(item) for item in patterns) if isinstance(patterns, list) else ()
    return Credential(
        id=file.name,
        auth_index=index_of_file(file.path, metadata, provider),
        provider=provider,
        label=_label(file, metadata, provider),
        origin=Origin.FILE,
        disabled=metadata.get("disabled") is True,
        revision=hashlib.sha256(file.content).hexdigest()[:16],
        base_url=_text(metadata, "base_url"),
        proxy_url=_text(metadata, "proxy_url"),
        headers=_headers(metadata.get("headers")),
        excluded_models=excluded,
        priority=_priority(metadata.get("priority")),
        weight=weight,
        attributes={"auth_kind": "oauth", "path": str(file.shown), "source": str(file.shown)},
        metadata=metadata,
        file_name=file.name,
        path=file.path,
        size=len(file.content),
        created_at=before.created_at if before else now,
        updated_at=datetime.fromtimestamp(file.modified_ns / 1e9, UTC),
    )


def _label(file: AuthFile, metadata: Mapping[str, object], provider: str) -> str:
    if "/" in file.name or provider == _READ_AT_START_ONLY:
        return next(filter(None, (_text(metadata, name) for name in ("label", "email", "project_id"))), "")
    return _text(metadata, "email") or provider


def parse_metadata(content: bytes) -> dict[str, object] | None:
    """Return the object a credential file holds, None when it is not one.

    Older field names are made canonical; where a field has both, the canonical one counts.
    """
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    older = {canonical_name(name): item for name, item in value.items() if canonical_name(name) != name}
    return older | {name: item for name, item in value.items() if canonical_name(name) == name}


def weight_of(metadata: Mapping[str, object]) -> int | None:
    """Return the weight a credential file gives itself: a whole number, also as a text; None when it gives none.

    Raises:
        ValueError: It is none, or too high; the text says so.
    """
    if _WEIGHT not in metadata:
        return None
    value = metadata[_WEIGHT]
    if isinstance(value, str):
        value = int(value) if _WHOLE.match(value.strip()) else _USUAL_WEIGHT if not value.strip() else None
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value // 1:
        raise ValueError("weight must be an integer")
    if value > HIGHEST_WEIGHT:
        raise ValueError(f"weight must not exceed {HIGHEST_WEIGHT}")
    return max(0, int(value))


def canonical_name(name: str) -> str:
    """Return the name a field of a credential file goes by today."""
    return _LEGACY_NAMES.get(name, name)


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
