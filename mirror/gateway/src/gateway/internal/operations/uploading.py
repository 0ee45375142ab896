"""Putting credential files into auth-dir, and getting them out again."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from gateway.internal.operations.changing import Refused
from gateway.internal.operations.credential_json import encoded
from gateway.internal.operations.files import is_unsafe
from gateway.internal.pool.auth_files import parse_metadata, weight_of
from gateway.internal.runtime import Runtime

_SUFFIX = ".json"


@dataclass(frozen=True, slots=True)
class Upload:
    """A file to put into auth-dir, by its name there."""

    name: str
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class UploadResult:
    """What became of one file: ``status`` and ``error`` as the management answer gives them."""

    name: str
    status: int = 200
    error: str = ""


async def upload_files(runtime: Runtime, uploads: Sequence[Upload]) -> tuple[UploadResult, ...]:
    """Write credential files, over existing ones too, and reload; one that is not usable does not stop the others.

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
    """Return a credential file as it is stored.

    Raises:
        ValueError: It holds no JSON object, or a weight that is none; the text says what is wrong.
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
    """Return a credential file of auth-dir as it stands on disk; it holds secrets.

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
    """Return a file name that came from outside, trimmed.

    Raises:
        Refused: It could lead out of auth-dir, or is not one of a credential file.
    """
    trimmed = name.strip()
    if is_unsafe(trimmed):
        raise Refused(400, "invalid name")
    if not trimmed.lower().endswith(_SUFFIX):
        raise Refused(400, "name must end with .json")
    return trimmed
