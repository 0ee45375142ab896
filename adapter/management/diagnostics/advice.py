"""Advice to the operator about a gateway's configuration and cost. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

EXPENSIVE_SECONDS: Final = 0.02
"""A call that does nothing and takes longer than this pays for a bcrypt comparison."""
CHEAP_SECONDS: Final = 0.002
"""Seconds of such a call where the key comes from the environment."""
LONGEST_RETENTION: Final = 3600
_USUAL_RETENTION: Final = 60
_WANTED_RETENTION: Final = 600
_ANYWHERE: Final = frozenset({"", "0.0.0.0", "::", "[::]"})  # noqa: S104 - compared, never bound
_TEMPLATE: Final = re.compile(r"your-api-key-[123]")


@dataclass(frozen=True, slots=True)
class Advice:
    """One piece of advice: a slug for programs, and a line with the problem and the remedy."""

    code: str
    text: str


def saved_seconds(accounts: int, cost: float) -> float:
    """Seconds one inspection of a pool takes longer because each call costs `cost` seconds and they go one by one."""
    return max(0.0, accounts * (cost - CHEAP_SECONDS))


def advise(config: Mapping[str, Any], cost: float, accounts: int) -> tuple[Advice, ...]:
    """Return advice about a parsed config.yaml. `cost` is the seconds of a call that does nothing."""
    advice = (_cost(cost, accounts), _retention(config), _binding(config), *client_key_advice(config))
    return tuple(item for item in advice if item is not None)


def _cost(cost: float, accounts: int) -> Advice | None:
    if cost <= EXPENSIVE_SECONDS:
        return None
    return Advice(
        "expensive_calls",
        f"Each management call takes {cost * 1000:.0f} ms before anything is done, because the gateway's key is stored"
        f" as a bcrypt hash. With MANAGEMENT_PASSWORD in its environment an inspection of these {accounts} accounts"
        f" would take about {max(1, saved_seconds(accounts, cost)):.0f} s less. It also allows management from other"
        " machines: bind the gateway to loopback or put a firewall in front of it.",
    )


def _retention(config: Mapping[str, Any]) -> Advice | None:
    if config.get("usage-statistics-enabled") is not True:
        return Advice("no_usage", "usage-statistics-enabled is off, so no usage can be collected.")
    value = config.get("redis-usage-queue-retention-seconds")
    seconds = value if isinstance(value, int) and value > 0 else _USUAL_RETENTION
    if seconds >= _WANTED_RETENTION:
        return None
    return Advice(
        "short_retention",
        f"Usage is kept for {seconds} s only and lost unless it is read in that time: set"
        f" redis-usage-queue-retention-seconds to {LONGEST_RETENTION}.",
    )


def _binding(config: Mapping[str, Any]) -> Advice | None:
    if str(config.get("host") or "").strip() not in _ANYWHERE:
        return None
    management = config.get("remote-management")
    remote = isinstance(management, Mapping) and management.get("allow-remote") is True
    return Advice(
        "open_binding",
        "The gateway listens at every address of its machine"
        + (" and allows management from anywhere" if remote else "")
        + ": set host to 127.0.0.1 unless others are meant to reach it.",
    )


def client_key_advice(config: Mapping[str, Any]) -> tuple[Advice, ...]:
    """Return advice about `api-keys`: none there, or those of the example file."""
    listed = config.get("api-keys")
    keys = [str(key).strip() for key in listed] if isinstance(listed, list) else []
    if not keys:
        return (Advice("open_inference", "api-keys is empty, so everybody who reaches the gateway may use the pool."),)
    if any(_TEMPLATE.fullmatch(key) for key in keys):
        return (
            Advice(
                "template_keys",
                "api-keys holds keys of the example file: the gateway refuses all inference from its next start on."
                " Replace them.",
            ),
        )
    return ()
