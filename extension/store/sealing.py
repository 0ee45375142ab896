"""Sealing of secrets with the key of a file: encrypted and authenticated, together with the place they belong to."""

import hashlib
import hmac
import secrets
from pathlib import Path
from typing import Final, Self

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from adapter.privacy.secret import Secret
from extension.store.errors import DataFolderUnusable, SealBroken
from extension.store.regular_file import read_regular
from extension.store.whole_file import write_whole

_KEY_BYTES: Final = 32
_NONCE_BYTES: Final = 12
_ENCRYPTION: Final = b"poolkeeper sealing"
_MARKS: Final = b"poolkeeper mark"


class Seal:
    """Seals and opens secrets with a key of 32 random bytes; each use has a key of its own, derived from it."""

    def __init__(self, key: bytes) -> None:
        self._cipher = ChaCha20Poly1305(_derived(key, _ENCRYPTION))
        self._marking = _derived(key, _MARKS)

    @classmethod
    def of_file(cls, path: Path, *, make: bool = False, private: bool = False) -> Self:
        """Return the seal of a key file in hexadecimal; with `make` a missing file is made, mode 0600.

        Raises DataFolderUnusable: the file is missing or damaged, cannot be read or made, or is to be `private` and
            open to others.
        """
        try:
            if make and not path.exists():
                write_whole(path, f"{secrets.token_bytes(_KEY_BYTES).hex()}\n".encode())
            mode, content = path.stat().st_mode, read_regular(path)
        except OSError as error:
            raise DataFolderUnusable(
                f"The key file {path} cannot be read: {error.strerror or type(error).__name__}. "
                "Copy it from the other processes of the fleet, or restore it."
            ) from error
        if private and mode & 0o077:
            raise DataFolderUnusable(f"The key file {path} can be read by others. Make it private (chmod 600).")
        try:
            key = bytes.fromhex(content.decode("ascii").strip())
        except ValueError:
            key = b""
        if len(key) != _KEY_BYTES:  # not quoted: a damaged key is still most of a key
            raise DataFolderUnusable(f"The key file {path} is damaged: it does not hold 32 bytes in hexadecimal.")
        return cls(key)

    def seal(self, secret: Secret, place: str) -> bytes:
        """Return a secret encrypted for a place; it opens at no other."""
        nonce = secrets.token_bytes(_NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, secret.reveal().encode("utf-8", "surrogatepass"), place.encode())

    def open(self, sealed: bytes, place: str) -> Secret:
        """Decrypt what was sealed for a place, or raise `SealBroken`."""
        try:
            plain = self._cipher.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], place.encode())
        except (InvalidTag, ValueError):
            raise SealBroken(
                "A sealed secret does not open here: it was moved or changed, or this process has another key file."
            ) from None
        return Secret(plain.decode("utf-8", "surrogatepass"))

    def mark(self, secret: Secret) -> str:
        """Return a keyed hash by which a secret is recognized, and nothing about it can be guessed."""
        return hmac.new(self._marking, secret.reveal().encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()


def _derived(key: bytes, purpose: bytes) -> bytes:
    return hmac.new(key, purpose, hashlib.sha256).digest()
