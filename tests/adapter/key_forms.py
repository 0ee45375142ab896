"""Forms in which an upstream may repeat a key, by name."""

from __future__ import annotations

import json
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable
from typing import Final
from urllib.parse import quote, quote_plus

FORMS: Final[dict[str, Callable[[str], str]]] = {
    "plain": str,
    "in an address": lambda key: quote(key, safe=""),
    "in a form": quote_plus,
    "in JSON": lambda key: json.dumps(key)[1:-1],
    "in JSON with letters of any language": lambda key: json.dumps(key, ensure_ascii=False)[1:-1],
    "hexadecimal": lambda key: key.encode().hex(),
    "hexadecimal in capitals": lambda key: key.encode().hex().upper(),
    "base64": lambda key: b64encode(key.encode()).decode(),
    "base64 of a pair": lambda key: b64encode(f"user:{key}".encode()).decode(),
    "base64 after two bytes": lambda key: b64encode(f"u:{key}!".encode()).decode(),
    "base64 for addresses": lambda key: urlsafe_b64encode(f"?{key}~~".encode()).decode(),
}
"""Each of them is redacted wherever the key is known, and hides an answer that holds it."""
