"""Digests of short contents, with and without OpenSSL."""

from __future__ import annotations

import hashlib
import subprocess
import sys

import pytest

from tools.mirrorkeeper.system import digests

CONTENTS = [b"", b"one\n", b"x" * 16_384, b"x" * 16_385, bytes(range(256)) * 300]


@pytest.mark.parametrize("content", CONTENTS)
@pytest.mark.parametrize("loaded", [True, False])
def test_a_digest_is_that_of_hashlib(content: bytes, monkeypatch: pytest.MonkeyPatch, *, loaded: bool) -> None:
    if not loaded:
        monkeypatch.delitem(sys.modules, "_hashlib", raising=False)

    assert digests.sha1_of(content) == hashlib.sha1(content, usedforsecurity=False).hexdigest()
    assert digests.sha256_of(content) == hashlib.sha256(content).hexdigest()


def test_an_interpreter_without_hashes_of_its_own_takes_those_of_openssl(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "_hashlib", raising=False)
    for name in ("_sha1", "_sha2", "_sha256"):
        monkeypatch.setitem(sys.modules, name, None)

    assert digests.sha1_of(b"one\n") == hashlib.sha1(b"one\n", usedforsecurity=False).hexdigest()
    assert digests.sha256_of(b"one\n") == hashlib.sha256(b"one\n").hexdigest()


def test_short_contents_do_not_load_openssl() -> None:
    program = (
        f"import sys; sys.path[:0] = {sys.path!r}\n"
        "from tools.mirrorkeeper.system.digests import sha1_of, sha256_of\n"
        "sha1_of(b'one'), sha256_of(b'one')\n"
        "print('_hashlib' in sys.modules)"
    )

    ended = subprocess.run([sys.executable, "-I", "-c", program], check=True, capture_output=True, text=True)

    assert ended.stdout == "False\n"
