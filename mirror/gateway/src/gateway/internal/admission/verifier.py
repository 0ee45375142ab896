"""Compares a presented key with the secrets the gateway knows."""

import asyncio
import hashlib
import hmac
import secrets

import bcrypt

_BCRYPT_BYTES = 72


def key_bytes(key: str) -> bytes:
    """The bytes of a key: header values arrive decoded as latin-1, whatever the client's encoding was."""
    try:
        return key.encode("latin-1")
    except UnicodeEncodeError:
        return key.encode()


def same(key: str, secret: str) -> bool:
    """Whether a key equals a clear-text secret, in constant time; an absent secret equals nothing."""
    return bool(secret) and hmac.compare_digest(key_bytes(key), secret.encode())


class Verifier:
    """Checks keys against a bcrypt hash without blocking the event loop.

    A check costs about 70 ms of a core, and a management client sends the same key with every request. So the last
    key that matched is remembered, as a digest keyed with a secret of this process, together with its hash: the same
    key again is accepted at once, a changed hash makes it forgotten.
    """

    def __init__(self) -> None:
        self._digest_key = secrets.token_bytes(32)
        self._matched = b""

    def remembers(self, key: str, stored_hash: str) -> bool:
        """Whether this key already matched this hash."""
        return bool(self._matched) and hmac.compare_digest(self._matched, self._digest(key, stored_hash))

    async def matches(self, key: str, stored_hash: str) -> bool:
        """Whether the key belongs to the hash. Keys over 72 bytes and unreadable hashes match nothing."""
        if self.remembers(key, stored_hash):
            return True
        if not await asyncio.to_thread(_check, key_bytes(key), stored_hash.encode()):
            return False
        self._matched = self._digest(key, stored_hash)
        return True

    def _digest(self, key: str, stored_hash: str) -> bytes:
        return hmac.digest(self._digest_key, stored_hash.encode() + b"\0" + key_bytes(key), hashlib.sha256)


def _check(key: bytes, stored_hash: bytes) -> bool:
    if len(key) > _BCRYPT_BYTES:
        return False
    try:
        return bcrypt.checkpw(key, stored_hash)
    except ValueError:
        return False
