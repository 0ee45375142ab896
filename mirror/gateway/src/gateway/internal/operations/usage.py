"""The bookkeeping of requests: the queue of usage records, the counters of API keys, and the quota state."""

from collections.abc import Sequence
from dataclasses import dataclass

from gateway.internal.configuration.sections import Section
from gateway.internal.pool.activity import Bucket
from gateway.internal.pool.credential import Credential
from gateway.internal.runtime import Runtime
from gateway.internal.usage.queue import Record


@dataclass(frozen=True, slots=True)
class KeyUsage:
    """The counters of one API key at one base address, since the process started."""

    success: int
    failed: int
    recent: tuple[Bucket, ...]


@dataclass(frozen=True, slots=True)
class QuotaReset:
    """What was forgotten about a credential: the models there was something to forget about, None for nothing."""

    auth_index: str
    models: tuple[str, ...] | None


async def pop_usage(runtime: Runtime, count: int = 1) -> tuple[Record, ...]:
    """Take up to ``count`` usage records out of the queue, oldest first; they are gone from it.

    Without ``usage-statistics-enabled``, or without a management interface, there are none. ``lost_usage`` tells
    whether some went unfetched.
    """
    return runtime.traffic.usage.pop(count)


def lost_usage(runtime: Runtime) -> int:
    """Return how many records nobody fetched in time since the process started; call it after ``pop_usage``."""
    return runtime.traffic.usage.lost


async def key_usage(runtime: Runtime) -> dict[str, dict[str, KeyUsage]]:
    """Return the counters of all configured keys by provider, and within it by ``base_url|api_key``, in clear.

    A compat provider goes by its name in lower case; a key that stands twice is counted together.
    """
    found: dict[str, dict[str, KeyUsage]] = {}
    for credential in sorted(runtime.snapshot.credentials, key=_provider):
        if not credential.api_key:
            continue
        group = found.setdefault(_provider(credential), {})
        place = f"{credential.base_url}|{credential.api_key}"
        success, failed = runtime.activity.totals(credential.id)
        usage = KeyUsage(success, failed, runtime.activity.recent(credential.id))
        group[place] = _together(group[place], usage) if place in group else usage
    return {provider: dict(sorted(group.items())) for provider, group in found.items()}


async def reset_quota(runtime: Runtime, auth_index: str) -> QuotaReset | None:
    """End all cool-downs of the credentials with an index; None when there is no such credential."""
    named = [each for each in runtime.snapshot.credentials if each.auth_index == auth_index]
    if not named:
        return None
    models = {model for each in named for model in runtime.traffic.cooldowns.reset(each.id)}
    return QuotaReset(auth_index, tuple(sorted(models)) or None)


def _provider(credential: Credential) -> str:
    return credential.compat_name.lower() if credential.section is Section.COMPAT else credential.provider


def _together(one: KeyUsage, other: KeyUsage) -> KeyUsage:
    return KeyUsage(one.success + other.success, one.failed + other.failed, _summed(one.recent, other.recent))


def _summed(one: Sequence[Bucket], other: Sequence[Bucket]) -> tuple[Bucket, ...]:
    pairs = zip(one, other, strict=True)
    return tuple(Bucket(a.time, a.success + b.success, a.failed + b.failed) for a, b in pairs)
