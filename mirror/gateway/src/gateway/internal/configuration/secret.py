"""Hashing of ``remote-management.secret-key``.

A clear-text key is hashed at every load and the hash is written back. bcrypt reads at most 72 bytes; longer keys are
refused rather than truncated.
"""

import bcrypt

from gateway.internal.configuration.edits import Set
from gateway.internal.configuration.errors import ConfigurationError

LONGEST_KEY = 72
COST = 10
PATH = ("remote-management", "secret-key")
_HASHED = ("$2a$", "$2b$", "$2y$")
_SHORTEST_HASH = 5


def is_hashed(text: str) -> bool:
    return len(text) >= _SHORTEST_HASH and text.startswith(_HASHED)


def hashing_edit(secret: str, *, cost: int = COST) -> Set | None:
    """Return the edit that replaces a clear-text secret by its hash; None when there is nothing to hash.

    ``cost`` is bcrypt's, the base-two logarithm of its rounds.

    Raises:
        ConfigurationError: The secret is longer than bcrypt can read.
    """
    if not secret or is_hashed(secret):
        return None
    if len(secret.encode()) > LONGEST_KEY:
        raise ConfigurationError(
            f"remote-management.secret-key is longer than {LONGEST_KEY} bytes; choose a shorter one"
        )
    return Set(PATH, bcrypt.hashpw(secret.encode(), bcrypt.gensalt(cost)).decode())
