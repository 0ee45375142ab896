"""Signing with an RSA key (RSASSA-PKCS1-v1_5 with SHA-256, RFC 8017), which is all a service account needs."""

from dataclasses import dataclass, field

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_pem_private_key

_LEAST_BITS = 1024


class KeyUnreadable(Exception):  # noqa: N818 - it names what happened
    """A private key is not an unencrypted RSA key in PEM."""


@dataclass(frozen=True, slots=True)
class PrivateKey:
    """An RSA key."""

    _key: RSAPrivateKey = field(repr=False)

    def sign(self, message: bytes) -> bytes:
        """Return the signature of a message."""
        return self._key.sign(message, PKCS1v15(), SHA256())


def read_key(pem: str) -> PrivateKey:
    """Return the key of a PEM text, in PKCS#8 or in PKCS#1; line breaks may be written as backslash and n.

    Raises:
        KeyUnreadable: It holds none, or one whose parts do not belong together.
    """
    try:
        key = load_pem_private_key(pem.replace("\\n", "\n").encode(), password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise KeyUnreadable("the private key is not an unencrypted RSA key in PEM") from None
    if not isinstance(key, RSAPrivateKey):
        raise KeyUnreadable("the private key is not an RSA key")
    if key.key_size < _LEAST_BITS:
        raise KeyUnreadable("the private key is too short")
    return PrivateKey(key)
