"""Making a credential file from the service account of a Google Cloud project."""

import base64
import binascii
import json
import re
from dataclasses import dataclass

from gateway.internal.operations.uploading import Upload, upload_files
from gateway.internal.runtime import Runtime

DEFAULT_LOCATION = "us-central1"
_PEM = re.compile(r"-----BEGIN (RSA )?PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END \1?PRIVATE KEY-----\s*\Z")
_NOT_IN_NAMES = str.maketrans({"/": "_", "\\": "_", ":": "_", " ": "-"})


@dataclass(frozen=True, slots=True)
class Imported:
    """The file that was made: its path as it is shown to clients, and what it says."""

    path: str
    project_id: str
    email: str
    location: str


class ImportRefused(Exception):  # noqa: N818 - it names what happened
    """No file was made.

    Attributes:
        status: HTTP status of the management answer.
        error: Its ``error``.
        message: Its ``message``; empty for none.
    """

    def __init__(self, status: int, error: str, message: str = "") -> None:
        self.status = status
        self.error = error
        self.message = message
        super().__init__(message or error)


async def import_service_account(runtime: Runtime, content: bytes, location: str = "") -> Imported:
    """Store a service account as ``vertex-<project>.json``, over an existing one too, and reload.

    Args:
        runtime: The live gateway.
        content: The JSON file Google Cloud gives for the account; it holds a private key.
        location: Region of the models; empty for ``us-central1``.

    Raises:
        ImportRefused: The content is not such a file (400), or it cannot be stored (500).
    """
    account = _account(content)
    project = _text(account, "project_id")
    if not project:
        raise ImportRefused(400, "project_id missing")
    email, place = _text(account, "client_email"), location.strip() or DEFAULT_LOCATION
    name = f"vertex-{project.translate(_NOT_IN_NAMES)}.json"
    file = {
        "type": "vertex",
        "service_account": account,
        "project_id": project,
        "email": email,
        "location": place,
        "label": f"{project} ({email})" if email else project,
    }
    (stored,) = await upload_files(runtime, [Upload(name, json.dumps(file).encode())])
    if stored.error:
        raise ImportRefused(500, "save_failed", stored.error)
    return Imported(str(runtime.auth_dir / name), project, email, place)


def _account(content: bytes) -> dict[str, object]:
    try:
        account = json.loads(content)
    except (ValueError, RecursionError):
        raise ImportRefused(400, "invalid json", "the file is not JSON") from None
    if not isinstance(account, dict):
        raise ImportRefused(400, "invalid json", "the file is not a JSON object")
    problem = _problem(account.get("private_key"))
    if problem:
        raise ImportRefused(400, "invalid service account", problem)
    return account


def _problem(key: object) -> str:
    """Say what is wrong with a private key, without showing it; empty when nothing is."""
    if not isinstance(key, str) or not key.strip():
        return "private_key is missing"
    found = _PEM.match(key.strip())
    try:
        if found and base64.b64decode("".join(found[2].split()), validate=True):
            return ""
    except binascii.Error:
        pass
    return "private_key is not a private key in PEM form"


def _text(account: dict[str, object], name: str) -> str:
    value = account.get(name)
    return value.strip() if isinstance(value, str) else ""
