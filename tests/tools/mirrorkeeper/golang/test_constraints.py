from __future__ import annotations

import pytest

from tools.mirrorkeeper.golang.constraints import is_built, is_wanted


@pytest.mark.parametrize(
    ("path", "built"),
    [
        ("a/b.go", True),
        ("a/b_linux.go", True),
        ("a/b_amd64.go", True),
        ("a/linux.go", True),
        ("a/b_darwin.go", False),
        ("a/b_linux_arm64.go", False),
        ("a/b_test.go", False),
        ("a/_b.go", False),
        ("a/.b.go", False),
        ("a/b.txt", False),
        ("vendor/a/b.go", False),
        ("a/testdata/b.go", False),
    ],
)
def test_name_and_place_decide_what_is_built(path: str, built: bool) -> None:
    assert is_built(path) is built


@pytest.mark.parametrize(
    ("constraint", "wanted"),
    [
        ("//go:build linux", True),
        ("//go:build !linux", False),
        ("//go:build windows || (linux && amd64)", True),
        ("//go:build linux && (arm64 || !cgo)", False),
        ("//go:build go1.22 && !plugin_off", True),
        ("//go:build", True),
        ("//go:build linux &&", False),
        ("// +build windows,amd64 linux,!cgo", False),
        ("// +build linux\n// +build !race", True),
        ("//go:build linux\n// +build windows", True),
    ],
)
def test_the_constraint_is_evaluated_for_the_ordinary_build(constraint: str, wanted: bool) -> None:
    assert is_wanted(f"// Package a.\n\n{constraint}\n\npackage a\n".encode()) is wanted


def test_what_looks_like_a_constraint_after_the_package_clause_is_none() -> None:
    assert is_wanted(b"package a\n\n//go:build ignore\n")
