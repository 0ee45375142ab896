"""Comparison of presented keys with the gateway's secrets."""

import asyncio
import hashlib
import hmac
import secrets
from concurrent.futures import ThreadPoolExecutor

import bcrypt

_BCRYPT_BYTES = 72
MOST_WAITING = 24
"""Maximum of waiting checks, the running one included: about two seconds of them."""

RESERVED = 8
"""Additional places for callers on this machine."""


def key_bytes(key: str) -> bytes:
    """Return the bytes of a key: header values arrive decoded as latin-1, whatever the client's encoding was."""
    try:
        return key.encode("latin-1")
    except UnicodeEncodeError:
        return key.encode()


def same(key: str, secret: str) -> bool:
    """Return whether a key equals a clear-text secret, in constant time; an absent secret equals no key."""
    return bool(secret) and hmac.compare_digest(key_bytes(key), secret.encode())


class TooManyChecks(Exception):  # noqa: N818 - it names what happened
    """The queue of checks is full."""


class Verifier:
    """Checks keys against a bcrypt hash without blocking the event loop.

    The checks have one thread of their own: guesses take one core at most, and other work in threads does not queue
    behind them. The queue is bounded, with places reserved for callers on this machine, so that remote guesses do not
    lock out the operator at the console.

    A check costs about 70 ms of a core, and a management client sends the same key with every request. So the last
    matching key is remembered, as a digest keyed with a secret of this process, together with its hash.
    """

    def __init__(self) -> None:
        self._digest_key = secrets.token_bytes(32)
        self._matched = b""
        self._waiting = 0
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="bcrypt")

    def remembers(self, key: str, stored_hash: str) -> bool:
        return bool(self._matched) and hmac.compare_digest(self._matched, self._digest(key, stored_hash))

    async def matches(self, key: str, stored_hash: str, *, local: bool = False) -> bool:
        """Return whether the key matches the hash. Keys over 72 bytes and unreadable hashes match nothing.

        ``local`` callers are on this machine and may use a reserved place.

        Raises:
            TooManyChecks: The queue is full.
        """
        if self.remembers(key, stored_hash):
            return True
        if self._waiting >= MOST_WAITING + (RESERVED if local else 0):
            raise TooManyChecks
        try:
            check = asyncio.get_running_loop().run_in_executor(
                self._thread, _check, key_bytes(key), stored_hash.encode()
            )
        except RuntimeError:
            raise TooManyChecks from None  # closed: the gateway is ending
        self._waiting += 1
        check.add_done_callback(self._checked)  # not when the caller leaves: the thread is still busy with its key
        if not await asyncio.shield(check):
            return False
        self._matched = self._digest(key, stored_hash)
        return True

    def close(self) -> None:
        """Cancel waiting checks and their callers."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _checked(self, _: asyncio.Future[bool]) -> None:
        self._waiting -= 1

    def _digest(self, key: str, stored_hash: str) -> bytes:
        return hmac.digest(self._digest_key, stored_hash.encode() + b"\0" + key_bytes(key), hashlib.sha256)


def _check(key: bytes, stored_hash: bytes) -> bool:
    if len(key) > _BCRYPT_BYTES:
        return False
    try:
        return bcrypt.checkpw(key, stored_hash)
    except ValueError:
        return False
