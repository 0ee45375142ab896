"""Ignored files that a compiler or an import takes for a part of the mirrored program."""

from __future__ import annotations

import py_compile

import pytest

from tests.tools.mirrorkeeper.repositories import Fork
from tools.mirrorkeeper.gates import run_gates
from tools.mirrorkeeper.mirror.tree.compiled import is_compiled
from tools.mirrorkeeper.mirror.verify.verify import VerifyOptions, verify

TAKEN = [
    "internal/api/evil.go",
    "evil_test.go",
    "crypto/evil.s",
    "cgo/evil.c",
    "cgo/evil.h",
    "x/evil.syso",
    "go.work",
    "sub/go.mod",
    "vendor/modules.txt",
    "src/gateway/evil.py",
    "src/sitecustomize.py",
    "src/gateway/native.abi3.so",
    "src/gateway/evil.pyc",
    "conftest.py",
    "build.rs",
]
LEFT = [
    "a.o",
    "bin/server",
    "z.log",
    "src/gateway/__pycache__/app.cpython-311.pyc",
    ".venv/lib/python3.11/x.py",
    "node_modules/a/b.go",
    "web/node_modules/a/b.py",
    "_old/evil.go",
    "x/testdata/evil.go",
    "x/.evil.go",
    "no-package/x.py",
    "dist/app.js",
]


@pytest.mark.parametrize("path", TAKEN)
def test_a_file_in_a_place_that_a_compiler_takes_is_compiled(path: str) -> None:
    assert is_compiled(path.encode())


@pytest.mark.parametrize("path", LEFT)
def test_other_build_output_is_not(path: str) -> None:
    assert not is_compiled(path.encode())


@pytest.mark.parametrize("name", ["src/evil.go", "src/evil.s", "src/evil.c", "src/evil.py"])
@pytest.mark.parametrize("ignored", ["report", "ignore"])
def test_an_ignored_file_that_is_compiled_fails_verify_and_the_gates(fork: Fork, name: str, ignored: str) -> None:
    (fork.root / ".git/info").mkdir(exist_ok=True)
    (fork.root / ".git/info/exclude").write_text("evil.*\n*.log\n", encoding="utf-8")
    (fork.mirror / name).write_bytes(b"evil")
    (fork.mirror / "a.log").write_bytes(b"log")

    report = verify(fork.project, VerifyOptions(ignored=ignored))
    assert ("MIR017", f"mirror/gateway/{name}") in [(one.code, one.shown_path) for one in report.findings]
    assert (report.status, run_gates(fork.project).status) == (1, 1)


def test_a_generated_source_can_be_accepted_by_path(fork: Fork) -> None:
    with fork.project.declaration_path.open("a", encoding="utf-8") as file:
        file.write('[accepted]\ncompiled = ["src/*_gen.go"]\n')
    (fork.root / ".gitignore").write_text("*.go\n", encoding="utf-8")
    for name in ("api_gen.go", "evil.go"):
        (fork.mirror / "src" / name).write_bytes(b"package p\n")

    assert fork.found() == [("MIR010", "mirror/gateway/src/api_gen.go"), ("MIR017", "mirror/gateway/src/evil.go")]


@pytest.mark.parametrize(("unchecked", "code"), [(True, "MIR017"), (False, "MIR010")])
def test_an_ignored_cache_that_is_run_unchecked_is_an_error(fork: Fork, code: str, *, unchecked: bool) -> None:
    (fork.root / ".git/info").mkdir(exist_ok=True)
    (fork.root / ".git/info/exclude").write_text("__pycache__/\n", encoding="utf-8")
    cache = fork.mirror / "src/__pycache__/app.cpython-311.pyc"
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH if unchecked else py_compile.PycInvalidationMode.TIMESTAMP
    py_compile.compile(str(fork.mirror / "src/app.py"), str(cache), invalidation_mode=mode)

    assert fork.found() == [(code, "mirror/gateway/src/__pycache__/app.cpython-311.pyc")]
