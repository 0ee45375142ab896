"""Keys in a configuration of the gateway, wherever they stand."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import yaml


def configured_keys(config: Path) -> Counter[str]:
    """Count the keys of all sections; a half-written file is an error."""
    keys: Counter[str] = Counter()

    def collect(value: object) -> None:
        if isinstance(value, dict):
            keys.update(str(child) for name, child in value.items() if name == "api-key")
            for child in value.values():
                collect(child)
        elif isinstance(value, list):
            for child in value:
                collect(child)

    collect(yaml.safe_load(config.read_text("utf-8")))
    return keys
