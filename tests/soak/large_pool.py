"""A pool of any size on disk: Claude keys whose names say what they do, each at an address of its own."""

from __future__ import annotations

import secrets
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


@dataclass(frozen=True, slots=True)
class LargePool:
    """The folder of a pool that can be served, its two ports, its key in clear, and the verdict of each account."""

    config: Path
    gateway_port: int
    providers_port: int
    management_key: str
    labels: dict[str, str]


def write_pool(folder: Path, size: int) -> LargePool:
    """Write the configuration of a pool of `size` keys; `labels` maps the base address of each to its verdict."""
    folder.mkdir(parents=True, exist_ok=True)
    gateway_port, providers_port = free_port(), free_port()
    key = f"soak-management-{secrets.token_urlsafe(18)}"
    labels: dict[str, str] = {}
    lines = [
        f'host: "{LOOPBACK}"',
        f"port: {gateway_port}",
        'auth-dir: "./auths"',
        "remote-management:",
        f'  secret-key: "{key}"',
        "claude-api-key:",
    ]
    for number in range(size):
        behaviour, verdict = LABELS[number % len(LABELS)]
        address = f"http://{LOOPBACK}:{providers_port}/account-{number}"
        labels[address] = verdict
        lines += [
            f"  # account {number}",
            f'  - api-key: "{demo_key(behaviour, address)}"',
            f'    base-url: "{address}"',
        ]
    config = folder / "config.yaml"
    config.write_text("\n".join(lines) + "\n", "utf-8")
    return LargePool(config, gateway_port, providers_port, key, labels)
