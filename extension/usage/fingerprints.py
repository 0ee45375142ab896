"""Keyed fingerprints, by which secrets of records are recognized and never stored."""

import hashlib
import hmac
import json
from typing import Any, Final

_SHOWN: Final = 16
_DIGEST_BYTES: Final = 8


class UsageFingerprints:
    """Fingerprints of one installation; each purpose has a key of its own, derived from the installation key."""

    def __init__(self, installation_key: bytes) -> None:
        self._client = _derived(installation_key, "client key")
        self._account = _derived(installation_key, "account")
        self._record = _derived(installation_key, "record")

    def client_key(self, key: str) -> str:
        """Return the fingerprint of a client key, 16 hexadecimal digits; "" for no key."""
        return _fingerprint(self._client, key) if key else ""

    def account(self, source: str) -> str:
        """Return the fingerprint of a record's source, with a mark before it; "" for no source."""
        return f"source-{_fingerprint(self._account, source)}" if source else ""

    def record(self, content: Any) -> int:
        """Return the digest of a raw record: equal for equal JSON values, whatever their order and white space."""
        text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        found = hashlib.blake2b(
            text.encode("utf-8", "surrogatepass"), key=self._record, digest_size=_DIGEST_BYTES
        ).digest()
        return int.from_bytes(found, "big", signed=True)


def _derived(key: bytes, purpose: str) -> bytes:
    return hmac.digest(key, f"poolkeeper usage {purpose}".encode(), "sha256")


def _fingerprint(key: bytes, text: str) -> str:
    return hmac.digest(key, text.encode("utf-8", "surrogatepass"), "sha256").hex()[:_SHOWN]
