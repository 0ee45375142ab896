"""Tests of the library itself: formatting, clippy, unit tests."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from ...mirror.errors import ToolError
from .building import run_cargo

_STEPS: Final = (
    ("rustfmt", ["fmt", "--check"]),
    ("clippy", ["clippy", "--all-targets", "--", "--deny", "warnings"]),
    ("unit tests of the library for stock gateways", ["test", "--lib"]),
)


def test_library(root: Path, environment: Mapping[str, str]) -> str:
    """Run every check, and return a line about them; without cargo the line names those left out.

    Raises:
        ToolError: a check fails, or cargo is missing in CI.
    """
    if shutil.which("cargo", path=environment.get("PATH", "")) is None:
        names = ", ".join(name for name, _ in _STEPS)
        if environment.get("CI") == "true":
            raise ToolError(
                f"cargo is not installed; in CI nothing is left out: {names}.", "Install Rust 1.85 or newer."
            )
        return f"cargo is not installed. Left out: {names}."
    for _, arguments in _STEPS:
        run_cargo(root, environment, arguments)
    return "The library is formatted, clippy is content, and its unit tests pass."
