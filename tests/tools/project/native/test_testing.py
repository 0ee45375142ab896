from pathlib import Path

import pytest

from tests.repository.tracked import ROOT
from tools.mirror.errors import ToolError
from tools.project.native.building import target_folder
from tools.project.native.testing import test_library as check_library

CHECKS = ("rustfmt", "clippy", "unit tests")


def test_without_cargo_the_checks_left_out_are_named(tmp_path: Path) -> None:
    line = check_library(ROOT, {"PATH": str(tmp_path)})

    assert "cargo is not installed" in line
    for check in CHECKS:
        assert check in line


def test_a_missing_cargo_is_a_failure_in_ci(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="in CI nothing is left out") as failure:
        check_library(ROOT, {"PATH": str(tmp_path), "CI": "true"})

    assert failure.value.advice == "Install Rust 1.85 or newer."


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"HOME": "/home/a"}, "/home/a/.cache/poolkeeper/native"),
        ({"HOME": "/home/a", "XDG_CACHE_HOME": "/var/cache/a"}, "/var/cache/a/poolkeeper/native"),
        ({"HOME": "/home/a", "CARGO_TARGET_DIR": "/work"}, "/work"),
    ],
)
def test_cargo_builds_outside_the_clone(environment: dict[str, str], expected: str) -> None:
    assert target_folder(environment) == Path(expected)


def test_a_failing_check_is_a_failure(tmp_path: Path) -> None:
    cargo = tmp_path / "cargo"
    cargo.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    cargo.chmod(0o755)

    with pytest.raises(ToolError, match="cargo fmt --check"):
        check_library(ROOT, {"PATH": str(tmp_path), "CARGO_TARGET_DIR": str(tmp_path)})
