"""Credential files for tests."""

import json
from datetime import UTC, datetime
from pathlib import Path

from gateway.internal.pool.folder import AuthFile

WHEN = datetime(2026, 11, 21, 8, 0, tzinfo=UTC)


def credential_file(kind: str, **fields: object) -> AuthFile:
    """Return a file of auth-dir, as found."""
    content = json.dumps({"type": kind, "access_token": f"token-{kind}", **fields}).encode()
    return AuthFile(Path(f"/auths/{kind}.json"), Path(f"auths/{kind}.json"), f"{kind}.json", content)
