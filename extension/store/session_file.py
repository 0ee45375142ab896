"""Sessions of the page in the data folder, so that they survive a restart: hashes of tokens, never a token."""

import json
import secrets
from dataclasses import dataclass, field
from typing import Any, Final

import structlog

from extension.store.data_folder import DataFolder
from extension.store.regular_file import read_regular_json

_NAME: Final = "sessions.json"
_SIZE: Final = 32

_log = structlog.get_logger("poolkeeper.store")


@dataclass(frozen=True, slots=True)
class StoredSession:
    """A session: its end in milliseconds UTC, and the fingerprint of the management key it was opened with."""

    expires_at: int
    key_fingerprint: str


@dataclass(frozen=True, slots=True)
class StoredSessions:
    """Sessions by the SHA-256 of their token, oldest first, and the secret of CSRF tokens."""

    csrf_secret: bytes = field(repr=False)
    sessions: dict[str, StoredSession] = field(default_factory=dict)


class SessionFile:
    """`sessions.json` of a data folder, mode 0600. Without a usable one sessions begin anew."""

    def __init__(self, folder: DataFolder) -> None:
        self._folder = folder
        self._path = folder.path / _NAME

    def read(self) -> StoredSessions:
        """Read the sessions; a file that is missing or damaged holds none."""
        try:
            return _parsed(read_regular_json(self._path))
        except FileNotFoundError:
            pass
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            _log.warning("stored sessions cannot be read, so everyone signs in again", file=str(self._path))
        return StoredSessions(secrets.token_bytes(_SIZE))

    def write(self, stored: StoredSessions) -> None:
        """Write the sessions. A disk that refuses costs their survival of a restart, and nothing else."""
        document = {
            "csrf": stored.csrf_secret.hex(),
            "sessions": {
                token: {"expiresAt": session.expires_at, "key": session.key_fingerprint}
                for token, session in stored.sessions.items()
            },
        }
        try:
            self._folder.write_private(self._path, json.dumps(document))
        except OSError as error:
            _log.warning("sessions cannot be stored and end with the service", reason=error.strerror)


def _parsed(document: Any) -> StoredSessions:
    secret = bytes.fromhex(document["csrf"])
    if len(secret) != _SIZE:
        raise ValueError
    return StoredSessions(
        secret,
        {
            str(token): StoredSession(int(session["expiresAt"]), str(session["key"]))
            for token, session in document["sessions"].items()
        },
    )
