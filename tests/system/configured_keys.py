"""Keys in a configuration of the gateway, wherever they stand."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import yaml


def configured_keys(config: Path) -> Counter[str]:
    """Count the keys of all sections; a half-written file is an error."""
    found: Counter[str] = Counter()

    def collect(value: object) -> None:
        if isinstance(value, dict):
            found.update(str(each) for name, each in value.items() if name == "api-key")
            for each in value.values():
                collect(each)
        elif isinstance(value, list):
            for each in value:
                collect(each)

    collect(yaml.safe_load(config.read_text("utf-8")))
    return found
