"""Upload, download and import of credential files."""

import base64
import binascii
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from gateway.internal.operations.changing import Refused
from gateway.internal.operations.file_fields import encoded
from gateway.internal.operations.files import is_unsafe
from gateway.internal.pool.folder import parse_metadata, text_of, weight_of
from gateway.internal.runtime import Runtime

_SUFFIX = ".json"


@dataclass(frozen=True, slots=True)
class Upload:
    """A file for auth-dir, with its name there."""

    name: str
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class UploadResult:
    """Result for one file: ``status`` and ``error`` of the management answer."""

    name: str
    status: int = 200
    error: str = ""


async def upload_files(runtime: Runtime, uploads: Sequence[Upload]) -> tuple[UploadResult, ...]:
    """Write credential files, over existing ones too, and reload; an unusable one does not stop the others.

    A file is stored as compact JSON with sorted keys, canonical field names and a ``disabled`` field.
    """
    return await runtime.exclusively(lambda: _upload(runtime, uploads))


async def _upload(runtime: Runtime, uploads: Sequence[Upload]) -> tuple[UploadResult, ...]:
    await runtime.refresh()
    results = [await _upload_one(runtime, upload) for upload in uploads]
    await runtime.refresh()
    return tuple(results)


async def _upload_one(runtime: Runtime, upload: Upload) -> UploadResult:
    name = PurePosixPath(upload.name.strip()).name
    if not name.lower().endswith(_SUFFIX):
        return UploadResult(name, 400, "file must be .json")
    if is_unsafe(name):
        return UploadResult(name, 400, "invalid name")
    try:
        content = stored(upload.content)
    except ValueError as error:
        return UploadResult(name, 500, f"invalid auth file: {error}")
    try:
        await runtime.write_file(runtime.auth_dir / name, content)
    except OSError as error:
        return UploadResult(name, 500, f"failed to write file: {(error.strerror or 'unknown error').lower()}")
    return UploadResult(name)


def stored(content: bytes) -> bytes:
    """Return the stored form of a credential file.

    Raises:
        ValueError: It holds no JSON object, or an invalid weight; the text describes the problem.
    """
    if not content.strip():
        raise ValueError("unexpected end of JSON input")
    try:
        json.loads(content)
    except json.JSONDecodeError as error:
        ended = error.pos >= len(error.doc.rstrip())
        raise ValueError("unexpected end of JSON input" if ended else f"not JSON at character {error.pos}") from None
    except (ValueError, RecursionError):
        raise ValueError("not JSON") from None
    metadata = parse_metadata(content)
    if metadata is None:
        raise ValueError("not a JSON object")
    weight_of(metadata)
    return encoded(metadata | {"disabled": metadata.get("disabled") is True})


async def read_credential_file(runtime: Runtime, name: str) -> bytes:
    """Return a credential file of auth-dir as it is on disk; it holds secrets.

    Raises:
        Refused: The name is not one of a credential file (400), there is none (404), or it cannot be read (500).
    """
    checked = checked_name(name)
    try:
        return await runtime.read_file(runtime.auth_dir / checked)
    except FileNotFoundError:
        raise Refused(404, "file not found") from None
    except OSError as error:
        raise Refused(500, f"failed to read file: {(error.strerror or 'unknown error').lower()}") from None


def checked_name(name: str) -> str:
    """Return an external file name, trimmed.

    Raises:
        Refused: It could lead out of auth-dir, or is not one of a credential file.
    """
    trimmed = name.strip()
    if is_unsafe(trimmed):
        raise Refused(400, "invalid name")
    if not trimmed.lower().endswith(_SUFFIX):
        raise Refused(400, "name must end with .json")
    return trimmed


DEFAULT_LOCATION = "us-central1"
_PEM = re.compile(r"-----BEGIN (RSA )?PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END \1?PRIVATE KEY-----\s*\Z")
_NOT_IN_NAMES = str.maketrans({"/": "_", "\\": "_", ":": "_", " ": "-"})


@dataclass(frozen=True, slots=True)
class Imported:
    """An imported file: its path as shown to clients, and its content."""

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

    ``content`` is Google Cloud's JSON file for the account, which holds a private key; ``location`` is the region of
    the models, by default ``us-central1``.

    Raises:
        ImportRefused: The content is not such a file (400), or it cannot be stored (500).
    """
    account = _account(content)
    project = text_of(account, "project_id")
    if not project:
        raise ImportRefused(400, "project_id missing")
    email, place = text_of(account, "client_email"), location.strip() or DEFAULT_LOCATION
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
    """Return the problem of a private key, without showing the key; empty when it is valid."""
    if not isinstance(key, str) or not key.strip():
        return "private_key is missing"
    match = _PEM.match(key.strip())
    try:
        if match and base64.b64decode("".join(match[2].split()), validate=True):
            return ""
    except binascii.Error:
        pass
    return "private_key is not a private key in PEM form"
