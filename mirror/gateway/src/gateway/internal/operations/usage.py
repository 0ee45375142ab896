"""Accounting of requests: the queue of usage records, counters of API keys, and cool-downs."""

from collections.abc import Sequence
from dataclasses import dataclass

from gateway.internal.configuration.sections import Section
from gateway.internal.pool.activity import Bucket
from gateway.internal.pool.credential import Credential
from gateway.internal.runtime import Runtime
from gateway.internal.usage.queue import Record


@dataclass(frozen=True, slots=True)
class KeyUsage:
    """Counters of an API key at a base URL, since the process started."""

    success: int
    failed: int
    recent: tuple[Bucket, ...]


@dataclass(frozen=True, slots=True)
class QuotaReset:
    """Result of a reset: the models that had a state, None for none."""

    auth_index: str
    models: tuple[str, ...] | None


async def pop_usage(runtime: Runtime, count: int = 1) -> tuple[Record, ...]:
    """Remove up to ``count`` usage records from the queue and return them, oldest first.

    Without ``usage-statistics-enabled``, or without a management interface, there are none. ``lost_usage`` counts those
    that were not fetched in time.
    """
    return runtime.traffic.usage.pop(count)


def lost_usage(runtime: Runtime) -> int:
    """Return the number of records not fetched in time since the process started; call it after ``pop_usage``."""
    return runtime.traffic.usage.lost


async def key_usage(runtime: Runtime) -> dict[str, dict[str, KeyUsage]]:
    """Return the counters of all configured keys by provider, and within it by ``base_url|api_key``, in clear.

    The provider of a compat key is its name in lower case; a repeated key is counted together.
    """
    usage_by_provider: dict[str, dict[str, KeyUsage]] = {}
    for credential in sorted(runtime.snapshot.credentials, key=_provider):
        if not credential.api_key:
            continue
        group = usage_by_provider.setdefault(_provider(credential), {})
        place = f"{credential.base_url}|{credential.api_key}"
        success, failed = runtime.activity.totals(credential.id)
        usage = KeyUsage(success, failed, runtime.activity.recent(credential.id))
        group[place] = _together(group[place], usage) if place in group else usage
    return {provider: dict(sorted(group.items())) for provider, group in usage_by_provider.items()}


async def reset_quota(runtime: Runtime, auth_index: str) -> QuotaReset | None:
    """End all cool-downs of the credentials with an index; None when there is no such credential."""
    credentials = [credential for credential in runtime.snapshot.credentials if credential.auth_index == auth_index]
    if not credentials:
        return None
    models = {model for credential in credentials for model in runtime.traffic.cooldowns.reset(credential.id)}
    return QuotaReset(auth_index, tuple(sorted(models)) or None)


def _provider(credential: Credential) -> str:
    return credential.compat_name.lower() if credential.section is Section.COMPAT else credential.provider


def _together(first: KeyUsage, second: KeyUsage) -> KeyUsage:
    return KeyUsage(first.success + second.success, first.failed + second.failed, _summed(first.recent, second.recent))


def _summed(first: Sequence[Bucket], second: Sequence[Bucket]) -> tuple[Bucket, ...]:
    pairs = zip(first, second, strict=True)
    return tuple(Bucket(a.time, a.success + b.success, a.failed + b.failed) for a, b in pairs)
