"""Listing of credentials as in ``GET /auth-files``.

The stock profile lists credential files only. The extended profile also lists configured API keys, as entries with
``runtime_only: true``, also while they are disabled; keys of disabled compat providers are hidden.
"""

import asyncio
import base64
import binascii
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from gateway.internal.configuration.model import Profile
from gateway.internal.pool.activity import Bucket
from gateway.internal.pool.credential import Credential
from gateway.internal.pool.folder import text_of
from gateway.internal.runtime import Runtime


@dataclass(frozen=True, slots=True)
class Entry:
    """A listed credential.

    Attributes:
        credential: The credential, with its secrets; only ``fields`` may be shown.
        success: Successful requests since the process started.
        failed: Failed requests since then.
        recent: The last twenty buckets of ten minutes.
        fields: The element of the answer, keys in alphabetical order.
    """

    credential: Credential
    name: str
    runtime_only: bool
    success: int
    failed: int
    recent: tuple[Bucket, ...]
    fields: Mapping[str, object] = field(repr=False)


_AT_ONCE = 250
_SHOWN = 4
_LEAST_TO_SHOW = 8
_CLAIMS = "https://api.openai.com/auth"
_CLAIM_FIELDS = {
    "chatgpt_account_id": "chatgpt_account_id",
    "chatgpt_plan_type": "plan_type",
    "chatgpt_subscription_active_start": "chatgpt_subscription_active_start",
    "chatgpt_subscription_active_until": "chatgpt_subscription_active_until",
}


async def list_entries(runtime: Runtime, name: str | None = None, auth_index: str | None = None) -> tuple[Entry, ...]:
    """Return the listed credentials, sorted by lower-case name, equal names in the order of the pool.

    Args:
        name: Only credentials with this id or file name.
        auth_index: Only credentials with this index.
    """
    extended = runtime.configuration.management_profile is Profile.EXTENDED
    chosen = (
        credential
        for credential in runtime.snapshot.credentials
        if (credential.is_file or extended)
        and (name is None or name in {credential.id, credential.file_name})
        and (auth_index is None or credential.auth_index == auth_index)
    )
    # Most credentials of a large pool share one tuple of empty buckets: it is written out once.
    written = lru_cache(maxsize=16)(_requests)
    entries: list[Entry] = []
    for number, credential in enumerate(chosen):
        if number % _AT_ONCE == 0:
            await asyncio.sleep(0)  # a long list must not hold up the streams of clients
        entries.append(_entry(runtime, credential, written))
    return tuple(sorted(entries, key=lambda entry: entry.name.lower()))


def mask(secret: str) -> str:
    """Mask a secret, with at most its last four characters."""
    return f"****{secret[-_SHOWN:]}" if len(secret) > _LEAST_TO_SHOW else "****"


def _requests(buckets: tuple[Bucket, ...]) -> list[dict[str, object]]:
    return [{"time": bucket.time, "success": bucket.success, "failed": bucket.failed} for bucket in buckets]


def _entry(
    runtime: Runtime, credential: Credential, shown_requests: Callable[[tuple[Bucket, ...]], list[dict[str, object]]]
) -> Entry:
    success, failed = runtime.activity.totals(credential.id)
    recent = runtime.activity.recent(credential.id)
    fields: dict[str, object] = {
        "id": credential.id,
        "auth_index": credential.auth_index,
        "name": credential.id,
        "type": credential.provider,
        "provider": credential.provider,
        "label": credential.label,
        "disabled": credential.disabled,
        **_health(runtime, credential),
        "runtime_only": not credential.is_file,
        "source": "file" if credential.is_file else "memory",
        "size": credential.size,
        "success": success,
        "failed": failed,
        "recent_requests": shown_requests(recent),
    }
    fields |= _file_fields(credential) if credential.is_file else _key_fields(credential)
    if credential.weight is not None:
        fields["weight"] = credential.weight
    if credential.priority:
        fields["priority"] = credential.priority
    shown = {name: fields[name] for name in sorted(fields)}
    return Entry(credential, credential.id, not credential.is_file, success, failed, recent, shown)


def _health(runtime: Runtime, credential: Credential) -> dict[str, object]:
    """Return the health of a credential: an error while it has a cool-down with some model.

    It is unavailable when it has one with every model it was used for; ``next_retry_after`` is the end of the first
    one.
    """
    if credential.disabled:
        return {"status": "disabled", "status_message": "", "unavailable": False}
    cooldowns = runtime.traffic.cooldowns
    states = cooldowns.states(credential.id).values()
    cooling = [state for state in states if state.until > cooldowns.now()]
    if not cooling:
        return {"status": "active", "status_message": "", "unavailable": False}
    first = min(cooling, key=lambda state: state.until)
    fields: dict[str, object] = {"status": "error", "status_message": first.reason, "unavailable": False}
    if len(cooling) == len(states):
        again = datetime.now(UTC) + timedelta(seconds=first.until - cooldowns.now())
        fields |= {"unavailable": True, "next_retry_after": _time(again)}
    return fields


def _key_fields(credential: Credential) -> dict[str, object]:
    fields: dict[str, object] = {"account_type": "api_key", "auth_kind": "api_key", "base_url": credential.base_url}
    if credential.compat_name:
        fields["compat_name"] = credential.compat_name
    if credential.api_key:
        fields["attributes"] = {"api_key": mask(credential.api_key)}
    return fields


def _file_fields(credential: Credential) -> dict[str, object]:
    metadata = credential.metadata
    email = text_of(metadata, "email")
    fields: dict[str, object] = {
        "account_type": "oauth",
        "path": credential.attributes["path"],
        "created_at": _time(credential.created_at),
        "updated_at": _time(credential.updated_at),
        "modtime": _time(credential.updated_at),
        "account": email,
        "email": email,
        "project_id": text_of(metadata, "project_id"),
        "note": text_of(metadata, "note"),
        "last_refresh": _rfc3339(text_of(metadata, "last_refresh")),
        "id_token": _id_token(metadata) if credential.provider == "codex" else {},
    }
    present = {name: value for name, value in fields.items() if value not in ("", {}, None)}
    if isinstance(metadata.get("websockets"), bool):
        present["websockets"] = metadata["websockets"]
    retry = metadata.get("request_retry")
    if isinstance(retry, int) and not isinstance(retry, bool) and retry >= 0:
        present["request_retry"] = retry
    return present


def _time(moment: datetime | None) -> str:
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z") if moment else ""


def _rfc3339(text: str) -> str:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return ""
    return text if moment.tzinfo else ""


def _id_token(metadata: Mapping[str, object]) -> dict[str, object]:
    """Return the claims about the plan in a codex id_token; {} when there is none to read."""
    parts = text_of(metadata, "id_token").split(".")
    try:
        payload = json.loads(base64.urlsafe_b64decode(parts[1] + "=" * (-len(parts[1]) % 4)))
        claims = payload.get(_CLAIMS, {})
        return {shown: claims[name] for name, shown in _CLAIM_FIELDS.items() if claims.get(name)}
    except (IndexError, ValueError, AttributeError, binascii.Error):
        return {}
