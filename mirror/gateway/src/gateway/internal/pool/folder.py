"""Credentials from the files of auth-dir. Blocking; the runtime calls it in a thread."""

import hashlib
import json
import os
import re
from collections.abc import Hashable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import structlog

from gateway.internal.configuration.files import Stamp, SystemFiles
from gateway.internal.configuration.normalisation import HIGHEST_WEIGHT, excluded_models
from gateway.internal.pool.credential import Credential, Origin
from gateway.internal.pool.keys import index_of_file

_WEIGHT, _USUAL_WEIGHT = "weight", 1
_WHOLE = re.compile(r"[-+]?[0-9]{1,18}\Z", re.ASCII)
_IGNORED_TYPES = frozenset({"", "gemini"})
_READ_AT_START_ONLY = "gemini-cli"
_LEGACY_NAMES = {
    name: name.replace("-", "_")
    for name in (
        "api-key",
        "base-url",
        "disable-cooling",
        "excluded-models",
        "fingerprint-profile",
        "model-aliases",
        "proxy-url",
        "request-retry",
        "request-scoped-errors",
        "tool-prefix-disabled",
    )
}


@dataclass(frozen=True, slots=True)
class AuthFile:
    """A file of auth-dir.

    Attributes:
        path: Absolute, cleaned path.
        shown: The path for clients: auth-dir as configured, joined with the name.
        name: The path within auth-dir, with slashes; the id of the credential.
        modified_ns: Modification time in nanoseconds since 1970.
    """

    path: Path
    shown: Path
    name: str
    content: bytes = field(repr=False)
    modified_ns: int = 0


def synthesise_file(file: AuthFile, before: Credential | None, now: datetime) -> Credential | None:
    """Return the credential of a file, None when it holds none of a known type.

    The stock gateway reads files in subfolders, and those of the type gemini-cli, only at its start and differently:
    their label differs.

    Args:
        file: A file of auth-dir whose name ends in ``.json``.
        before: The previous credential of the file, whose time of creation is kept.
        now: Time of the scan.
    """
    metadata = parse_metadata(file.content)
    provider = text_of(metadata, "type").lower() if metadata else ""
    if metadata is None or provider in _IGNORED_TYPES:
        return None
    try:
        weight = weight_of(metadata)
    except ValueError:
        return None
    patterns = metadata.get("excluded_models")
    excluded = excluded_models(str(item) for item in patterns) if isinstance(patterns, list) else ()
    return Credential(
        id=file.name,
        auth_index=index_of_file(file.path, metadata, provider),
        provider=provider,
        label=_label(file, metadata, provider),
        origin=Origin.FILE,
        disabled=metadata.get("disabled") is True,
        revision=hashlib.sha256(file.content).hexdigest()[:16],
        base_url=text_of(metadata, "base_url"),
        proxy_url=text_of(metadata, "proxy_url"),
        headers=_headers(metadata.get("headers")),
        excluded_models=excluded,
        priority=_priority(metadata.get("priority")),
        weight=weight,
        attributes={"auth_kind": "oauth", "path": str(file.shown), "source": str(file.shown)},
        metadata=metadata,
        file_name=file.name,
        path=file.path,
        size=len(file.content),
        created_at=before.created_at if before else now,
        updated_at=datetime.fromtimestamp(file.modified_ns / 1e9, UTC),
    )


def _label(file: AuthFile, metadata: Mapping[str, object], provider: str) -> str:
    if "/" in file.name or provider == _READ_AT_START_ONLY:
        return next(filter(None, (text_of(metadata, name) for name in ("label", "email", "project_id"))), "")
    return text_of(metadata, "email") or provider


def parse_metadata(content: bytes) -> dict[str, object] | None:
    """Return the object in a credential file, or None.

    Older field names become canonical; the canonical one takes precedence.
    """
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    older = {canonical_name(name): item for name, item in value.items() if canonical_name(name) != name}
    return older | {name: item for name, item in value.items() if canonical_name(name) == name}


def weight_of(metadata: Mapping[str, object]) -> int | None:
    """Return the weight of a credential file: a whole number, also as a text; None without one.

    Raises:
        ValueError: It is invalid, or too high; the text says so.
    """
    if _WEIGHT not in metadata:
        return None
    value = metadata[_WEIGHT]
    if isinstance(value, str):
        value = int(value) if _WHOLE.match(value.strip()) else _USUAL_WEIGHT if not value.strip() else None
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value // 1:
        raise ValueError("weight must be an integer")
    if value > HIGHEST_WEIGHT:
        raise ValueError(f"weight must not exceed {HIGHEST_WEIGHT}")
    return max(0, int(value))


def canonical_name(name: str) -> str:
    """Return the current name of a credential file's field."""
    return _LEGACY_NAMES.get(name, name)


def text_of(metadata: Mapping[str, object], name: str) -> str:
    """Return a text field of a credential file, trimmed; empty for any other value."""
    value = metadata.get(name)
    return value.strip() if isinstance(value, str) else ""


def _headers(value: object) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, dict):
        return ()
    return tuple(sorted((name, item) for name, item in value.items() if isinstance(item, str)))


def _priority(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return 0
    try:
        return int(value)
    except (ValueError, OverflowError):
        return 0


_SUFFIX = ".json"
_DEPTH = 4
_MOST_FOLDERS = 1000
_log = structlog.get_logger("gateway")
_DEFAULT = "~/.cli-proxy-api"


class AuthFolder:
    """Reads the credential files of a folder; an unchanged file is not read again."""

    def __init__(self, files: SystemFiles) -> None:
        self._files = files
        self._scanned: dict[Path, tuple[Stamp, Credential | None]] = {}
        self._shown: Path | None = None
        self._unreadable = False

    def scan(self, shown: Path, now: datetime) -> tuple[Credential, ...]:
        """Return the credentials of a folder and its subfolders, by file name; files without one are left out.

        While the folder cannot be read, its last credentials stay; a new one has none. ``shown`` is the folder as shown
        to clients, relative to the working directory.
        """
        folder = self._absolute(shown)
        scanned: dict[Path, tuple[Stamp, Credential | None]] = {}
        for path, stamp in self._readable(folder, shown):
            entry = self._scanned.get(path)
            if entry is None or entry[0] != stamp or shown != self._shown:
                entry = self._read(path, shown, stamp, entry[1] if entry else None, now)
            if entry is not None:
                scanned[path] = entry
        self._scanned, self._shown = scanned, shown
        return tuple(credential for _, credential in scanned.values() if credential is not None)

    def fingerprint(self, shown: Path) -> Hashable:
        """Return a value that changes with every credential file, and when the folder becomes readable."""
        try:
            return tuple(self._tree(self._absolute(shown)))
        except OSError as error:
            return error.errno

    def names(self, shown: Path) -> list[str]:
        """Return the names of the ``*.json`` files directly in a folder, credential or not.

        Raises:
            OSError: It is no folder, or cannot be read.
        """
        return [path.name for path, _ in self._stamps(self._absolute(shown))]

    def _readable(self, folder: Path, shown: Path) -> list[tuple[Path, Stamp]]:
        try:
            stamps = self._tree(folder)
        except OSError as error:
            if not self._unreadable:
                _log.error("auth-dir cannot be read; what it held last stays in use", problem=error.strerror)
            self._unreadable = True
            return [(path, stamp) for path, (stamp, _) in self._scanned.items()] if shown == self._shown else []
        self._unreadable = False
        return stamps

    def folders(self, shown: Path) -> list[Path]:
        """Return the folder and its subfolders, within limits; raise OSError if it cannot be read."""
        folders = level = [self._absolute(shown)]
        for _ in range(_DEPTH):
            level = [inner for outer in level for inner in self._inner(outer)][:_MOST_FOLDERS]
            folders = [*folders, *level]
        return folders[:_MOST_FOLDERS]

    def _inner(self, folder: Path) -> list[Path]:
        try:
            return self._files.subfolders(folder)
        except OSError:  # it is gone, or not readable
            return []

    def _tree(self, folder: Path) -> list[tuple[Path, Stamp]]:
        """Return the files of a folder and its subfolders; raise OSError if the folder itself cannot be read."""
        stamps = self._stamps(folder)
        for inner in self.folders(folder)[1:]:
            with suppress(OSError):
                stamps += self._stamps(inner)
        return sorted(stamps)

    def _stamps(self, folder: Path) -> list[tuple[Path, Stamp]]:
        paths = (path for path in self._files.listing(folder) if path.name.lower().endswith(_SUFFIX))
        stamped = ((path, self._stamp(path)) for path in paths)
        return [(path, stamp) for path, stamp in stamped if stamp is not None]

    def _stamp(self, path: Path) -> Stamp | None:
        try:
            return self._files.stamp(path)
        except OSError:  # a link to itself, or a target that is not readable
            return None

    def _read(
        self, path: Path, shown: Path, stamp: Stamp, before: Credential | None, now: datetime
    ) -> tuple[Stamp, Credential | None] | None:
        try:
            content = self._files.read(path)
        except OSError:  # it went, or may not be read: either way there is no credential
            return None
        return stamp, synthesise_file(self._file(path, shown, content, stamp), before, now)

    def _file(self, path: Path, shown: Path, content: bytes, stamp: Stamp) -> AuthFile:
        inside = path.relative_to(self._absolute(shown))
        return AuthFile(path, shown / inside, inside.as_posix(), content, stamp.modified_ns)

    @staticmethod
    def _absolute(shown: Path) -> Path:
        return Path(os.path.normpath(Path.cwd() / shown))


def shown_folder(configured: str) -> Path:
    """Return auth-dir as configured, or the default.

    A leading ``~`` is the home of the gateway's user, whatever follows it: other users' homes have no notation.
    """
    named = configured or _DEFAULT
    if named.startswith("~"):
        named = str(Path.home() / named[1:].replace("\\", "/").lstrip("/"))
    return Path(os.path.normpath(named))
