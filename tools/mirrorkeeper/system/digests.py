"""SHA-1 and SHA-256 of contents: CPython's own code for a few short ones, OpenSSL for everything else.

Loading OpenSSL takes 2.5 ms, which is more than a quick check hashes in its whole life: the lock, two raw objects, the
patches. Once it is loaded, it is the faster one at any length.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Any

_SHORT = 16_384


def sha1_of(content: bytes) -> str:
    """Return the SHA-1 of the content, in hexadecimal digits."""
    return str(_hash("sha1", len(content))(content, usedforsecurity=False).hexdigest())


def sha256_of(content: bytes) -> str:
    """Return the SHA-256 of the content, in hexadecimal digits."""
    return str(_hash("sha256", len(content))(content, usedforsecurity=False).hexdigest())


def _hash(name: str, length: int) -> Any:
    own = None if length > _SHORT or "_hashlib" in sys.modules else _own(name)
    if own is not None:
        return own
    import hashlib

    return getattr(hashlib, name)


def _own(name: str) -> Any:
    """Return the function of CPython itself; None where the interpreter was built without it."""
    with suppress(ModuleNotFoundError):
        if name == "sha1":
            from _sha1 import sha1  # type: ignore[import-not-found]

            return sha1
        if sys.version_info >= (3, 12):
            from _sha2 import sha256
        else:
            from _sha256 import sha256  # type: ignore[import-not-found]
        return sha256
    return None
