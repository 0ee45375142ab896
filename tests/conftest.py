"""Rules for the whole suite: what starts processes is slow, whatever its file says."""

from __future__ import annotations

from pathlib import Path

import pytest

STARTS_PROCESSES = Path(__file__).parent / "system"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests that start the whole service out of the quick check."""
    for item in items:
        if STARTS_PROCESSES in item.path.parents:
            item.add_marker("slow")
