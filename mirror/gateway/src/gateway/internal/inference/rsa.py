"""Signing with an RSA key (RSASSA-PKCS1-v1_5 with SHA-256, RFC 8017), which is all a service account needs."""

import base64
import binascii
import hashlib
import secrets
from dataclasses import dataclass, field

_SEQUENCE, _INTEGER, _OCTETS, _OBJECT = 0x30, 0x02, 0x04, 0x06
_RSA = bytes.fromhex("2a864886f70d010101")
_SHA256 = bytes.fromhex("3031300d060960864801650304020105000420")
_LONG_FORM = 0x80
_LEAST_BITS = 1024


class KeyUnreadable(Exception):  # noqa: N818 - it names what happened
    """A private key is not an unencrypted RSA key in PEM."""


@dataclass(frozen=True, slots=True)
class PrivateKey:
    """An RSA key."""

    modulus: int = field(repr=False)
    public: int = field(repr=False)
    private: int = field(repr=False)

    def sign(self, message: bytes) -> bytes:
        """Return the signature of a message.

        The number is blinded while the key works on it, and the result is checked before it leaves: neither the time
        it takes nor a wrong calculation says anything about the key.
        """
        size = (self.modulus.bit_length() + 7) // 8
        digest = _SHA256 + hashlib.sha256(message).digest()
        padded = b"\0\1" + b"\xff" * (size - len(digest) - 3) + b"\0" + digest
        number = int.from_bytes(padded)
        blind = secrets.randbelow(self.modulus - 2) + 2
        blinded = number * pow(blind, self.public, self.modulus) % self.modulus
        signed = pow(blinded, self.private, self.modulus) * pow(blind, -1, self.modulus) % self.modulus
        if pow(signed, self.public, self.modulus) != number:
            raise KeyUnreadable("the parts of the private key do not belong together")
        return signed.to_bytes(size)


def read_key(pem: str) -> PrivateKey:
    """Return the key of a PEM text, in PKCS#8 or in PKCS#1.

    Raises:
        KeyUnreadable: It holds none.
    """
    lines = (line.strip() for line in pem.replace("\\n", "\n").splitlines())
    try:
        content = base64.b64decode("".join(line for line in lines if not line.startswith("-----")), validate=True)
        items = _items(_one(content, _SEQUENCE))
        if len(items) > 2 and items[1][0] == _SEQUENCE:  # noqa: PLR2004 - version, algorithm, key
            algorithm, wrapped = _items(items[1][1]), items[2]
            if algorithm[0] != (_OBJECT, _RSA) or wrapped[0] != _OCTETS:
                raise KeyUnreadable("the private key is not an RSA key")
            items = _items(_one(wrapped[1], _SEQUENCE))
        numbers = [int.from_bytes(value) for tag, value in items[:4] if tag == _INTEGER]
        _, modulus, public, private = numbers
    except (ValueError, IndexError, binascii.Error):
        raise KeyUnreadable("the private key is not an unencrypted RSA key in PEM") from None
    if modulus.bit_length() < _LEAST_BITS:
        raise KeyUnreadable("the private key is too short")
    return PrivateKey(modulus, public, private)


def _one(content: bytes, tag: int) -> bytes:
    """Return the value of the one element there is."""
    ((found, value),) = _items(content)
    if found != tag:
        raise ValueError(found)
    return value


def _items(content: bytes) -> list[tuple[int, bytes]]:
    """Return the DER elements that stand one behind the other: tag and value of each."""
    items = []
    at = 0
    while at < len(content):
        tag, length, at = content[at], content[at + 1], at + 2
        if length >= _LONG_FORM:
            digits = length - _LONG_FORM
            length, at = int.from_bytes(content[at : at + digits]), at + digits
        if at + length > len(content):
            raise ValueError(length)
        items.append((tag, content[at : at + length]))
        at += length
    return items
