"""A pool of any size on disk: Claude keys whose names say what they do, each at an address of its own."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.demo.behaviour import Behaviour, demo_key
from tools.demo.folder import free_port
from tools.demo.providers import LOOPBACK

# What a key does and what an inspection must say of it, in the proportions of a pool that needs one.
LABELS = (
    (Behaviour.OK, "healthy"),
    (Behaviour.OK, "healthy"),
    (Behaviour.OK, "healthy"),
    (Behaviour.UNAUTHORISED, "unauthorised"),
    (Behaviour.FORBIDDEN, "forbidden"),
    (Behaviour.PAYMENT, "quota"),
    (Behaviour.RATE_LIMITED, "rate_limited"),
    (Behaviour.FAILING, "provider_trouble"),
)
# The same with slow providers among them: an inspection then lasts long enough to be killed in the middle of it.
WITH_SLOW_ONES = ((Behaviour.SLOW, "healthy"), *LABELS[1:])


@dataclass(frozen=True, slots=True)
class LargePool:
    """A pool that can be served: its two ports, its management key in clear, and by base address keys and verdicts."""

    config: Path
    gateway_port: int
    providers_port: int
    management_key: str
    keys: dict[str, str]
    labels: dict[str, str]


def write_pool(folder: Path, size: int, labels: Sequence[tuple[Behaviour, str]] = LABELS) -> LargePool:
    """Write the configuration of a pool of `size` keys that behave as `labels` say in turn."""
    folder.mkdir(parents=True, exist_ok=True)
    gateway_port, providers_port = free_port(), free_port()
    key = f"soak-management-{secrets.token_urlsafe(18)}"
    keys: dict[str, str] = {}
    verdicts: dict[str, str] = {}
    lines = [
        f'host: "{LOOPBACK}"',
        f"port: {gateway_port}",
        'auth-dir: "./auths"',
        "remote-management:",
        f'  secret-key: "{key}"',
        "claude-api-key:",
    ]
    for number in range(size):
        behaviour, verdict = labels[number % len(labels)]
        address = f"http://{LOOPBACK}:{providers_port}/account-{number}"
        keys[address], verdicts[address] = demo_key(behaviour, address), verdict
        lines += [
            f"  # account {number}",
            f'  - api-key: "{keys[address]}"',
            f'    base-url: "{address}"',
        ]
    config = folder / "config.yaml"
    config.write_text("\n".join(lines) + "\n", "utf-8")
    return LargePool(config, gateway_port, providers_port, key, keys, verdicts)
