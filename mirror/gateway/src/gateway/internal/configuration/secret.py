"""``remote-management.secret-key``: kept as a bcrypt hash, never in clear.

A clear-text key is hashed at every load and the hash written back. bcrypt reads at most 72 bytes; a longer key is
refused rather than cut.
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
    """Return whether a configured secret is a bcrypt hash already."""
    return len(text) >= _SHORTEST_HASH and text.startswith(_HASHED)


def hashing_edit(secret: str, *, cost: int = COST) -> Set | None:
    """Return the edit that replaces a clear-text secret by its hash; None when there is nothing to hash.

    Args:
        secret: The configured value.
        cost: bcrypt's cost, the base-two logarithm of its rounds.

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
