"""The management key of a gateway elsewhere, kept on disk: encrypted, and only where an operator asked for it.

The key that encrypts is made of a passphrase by scrypt; the ciphertext is authenticated together with the address of
the gateway, so that the file of one gateway does not open for another. Nothing here prompts or sends.
"""

import json
import secrets
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any, Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from adapter.privacy.secret import Secret
from extension.serving.errors import ServingError
from extension.store.regular_file import read_regular_json
from extension.store.whole_file import write_whole

NAME: Final = "management-key.json"
"""Name of the file in the data folder of its gateway."""
SHORTEST_PASSPHRASE: Final = 8
"""Fewest characters of a passphrase: the file may be copied, and then only the passphrase protects it."""

_VERSION: Final = 1
_COST: Final = {"n": 2**16, "r": 8, "p": 1}
"""Makes each guess take 64 MiB of memory and about a quarter of a second."""
_SALT_BYTES: Final = 16
_NONCE_BYTES: Final = 12
_KEY_BYTES: Final = 32


class KeyNotStored(ServingError):  # noqa: N818 - the name is the event
    """The key cannot be stored."""


class StoredKeyUnusable(ServingError):  # noqa: N818 - the name is the event
    """The stored key cannot be opened; the text gives the reason and the next step."""


def is_stored(folder: Path) -> bool:
    """Return whether a data folder holds a stored key."""
    return (folder / NAME).exists()


def store(folder: Path, address: str, key: Secret, passphrase: Secret) -> Path:
    """Encrypt a key and write it, whole or not at all, readable by its owner only; answers the file.

    Raises KeyNotStored: the passphrase is too short, or the folder cannot be written.
    """
    if len(passphrase.reveal()) < SHORTEST_PASSPHRASE:
        raise KeyNotStored(f"The passphrase is too short: take at least {SHORTEST_PASSPHRASE} characters.")
    salt, nonce = secrets.token_bytes(_SALT_BYTES), secrets.token_bytes(_NONCE_BYTES)
    cipher = ChaCha20Poly1305(_derived(passphrase, salt))
    sealed = cipher.encrypt(nonce, key.reveal().encode("utf-8", "surrogatepass"), address.encode())
    content = {
        "version": _VERSION,
        "scrypt": {**_COST, "salt": _text(salt)},
        "chacha20-poly1305": {"nonce": _text(nonce), "sealed": _text(sealed)},
    }
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(folder / NAME, f"{json.dumps(content, indent=2)}\n".encode())
    except OSError as error:
        raise KeyNotStored(
            f"The key cannot be written to {folder}: {error.strerror or error}. Choose another folder with --data-dir."
        ) from None
    return folder / NAME


def opened(folder: Path, address: str, passphrase: Secret) -> Secret:
    """Decrypt the stored key of a gateway.

    Raises StoredKeyUnusable: the passphrase is wrong, or the file is not one of ours or was changed.
    """
    path = folder / NAME
    try:
        content = read_regular_json(path)
        salt, nonce, sealed = _parts(content)
    except OSError as error:
        raise StoredKeyUnusable(f"The stored key {path} cannot be read: {error.strerror or error}.") from None
    except (ValueError, KeyError, TypeError):
        raise StoredKeyUnusable(
            f"The file {path} is damaged or of another version. Remove it with: poolkeeper key forget --gateway"
            f" {address}"
        ) from None
    try:
        key = ChaCha20Poly1305(_derived(passphrase, salt)).decrypt(nonce, sealed, address.encode())
    except InvalidTag:
        raise StoredKeyUnusable(
            f"The passphrase does not open the stored key of {address}. Nothing was sent to the gateway. Try again, or"
            f" store the key anew with: poolkeeper key store --gateway {address}"
        ) from None
    return Secret(key.decode("utf-8", "surrogatepass"))


def forget(folder: Path) -> bool:
    """Remove the stored key; answers whether there was one. Raises KeyNotStored: it cannot be removed."""
    try:
        (folder / NAME).unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise KeyNotStored(f"{folder / NAME} cannot be removed: {error.strerror or error}.") from None
    return True


def _derived(passphrase: Secret, salt: bytes) -> bytes:
    return Scrypt(salt=salt, length=_KEY_BYTES, **_COST).derive(passphrase.reveal().encode("utf-8", "surrogatepass"))


def _parts(content: Any) -> tuple[bytes, bytes, bytes]:
    """Salt, nonce and sealed bytes. The cost is ours and not the file's, so that no file makes us work for it."""
    cost = {name: value for name, value in content["scrypt"].items() if name != "salt"}
    if content["version"] != _VERSION or cost != _COST:
        raise ValueError("another version")
    box = content["chacha20-poly1305"]
    return (_bytes(content["scrypt"]["salt"]), _bytes(box["nonce"], _NONCE_BYTES), _bytes(box["sealed"]))


def _bytes(text: str, length: int | None = None) -> bytes:
    data = b64decode(text, validate=True)
    if not data or (length is not None and len(data) != length):
        raise ValueError("another length")
    return data


def _text(data: bytes) -> str:
    return b64encode(data).decode("ascii")
