"""config.yaml on disk: loaded, edited and replaced as a whole. Blocking; the runtime calls it in a thread."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gateway.internal.configuration import secret
from gateway.internal.configuration.applying import EntryChange, applied, apply, reversibly
from gateway.internal.configuration.edits import Edit
from gateway.internal.configuration.errors import ConfigurationError, RevisionConflict
from gateway.internal.configuration.files import LONGEST_CONFIGURATION, SystemFiles, too_large
from gateway.internal.configuration.inverse import Inverses
from gateway.internal.configuration.loading import configuration_of, parse
from gateway.internal.configuration.model import Configuration
from gateway.internal.configuration.writing import Writer


@dataclass(frozen=True, slots=True)
class Loaded:
    """The file at one moment. ``revision`` is a fingerprint of its bytes."""

    text: str = field(repr=False)
    revision: str
    configuration: Configuration


class ConfigurationFile:
    """The only reader and writer of config.yaml.

    Args:
        path: The file; links are followed at every access.
        files: The file system.
        writer: Writes the file.
        cost: bcrypt cost for hashing a clear-text secret.
    """

    def __init__(self, path: Path, files: SystemFiles, writer: Writer, cost: int = secret.COST) -> None:
        self._path = path
        self._files = files
        self._writer = writer
        self._cost = cost

    def recover(self) -> bool:
        """Finish a write that a crash interrupted."""
        return self._writer.recover(self._path)

    def read(self) -> str:
        """Return the text on disk.

        Raises:
            OSError: It cannot be read.
            ConfigurationError: It is not UTF-8.
        """
        return self._decoded(self._files.read(self._path, LONGEST_CONFIGURATION))

    def load(self) -> Loaded:
        """Return the file's configuration; a clear-text secret is hashed and written back first.

        Raises:
            OSError: It cannot be read, or the hash cannot be written back.
            ConfigurationError: It has impossible values.
        """
        text = self.read()
        loaded = self._loaded(text)
        hashed = self._hashed(loaded)
        if hashed is loaded:
            return loaded
        if self.read() != text:  # it changed while the secret was hashed
            return self.load()
        self._writer.write(self._path, hashed.text.encode())
        return hashed

    def glimpse(self, before: Loaded) -> Configuration | None:
        """Return the current configuration on disk, None when it is unchanged or unusable."""
        try:
            text = self.read()
            configuration = None if text == before.text else parse(text, str(self._path))
        except (OSError, ConfigurationError):
            return None
        return configuration if configuration and configuration.document else None

    def replace(self, text: str, expect: str | None = None) -> Loaded:
        """Replace the file by a valid text, hashing its secret; return the result.

        Raises:
            RevisionConflict: The file has another revision than ``expect``.
            ConfigurationError: The new text is not valid; nothing was written.
            OSError: It cannot be written.
        """
        loaded = self._loaded(text)
        if not loaded.configuration.document:
            raise ConfigurationError("the text says nothing; a configuration is never replaced by an empty one")
        hashed = self._hashed(loaded)
        self._check(expect)
        return self._write(hashed)

    def _check(self, expect: str | None) -> None:
        if expect is not None:
            now = revision_of(self._files.read(self._path, LONGEST_CONFIGURATION))
            if now != expect:
                raise RevisionConflict(now)

    def _write(self, new: Loaded) -> Loaded:
        content = new.text.encode()
        if len(content) > LONGEST_CONFIGURATION:
            raise ConfigurationError(f"the text is {too_large(LONGEST_CONFIGURATION)}; nothing was written")
        self._writer.write(self._path, content)
        return new if self.read() == new.text else self.load()

    def edit(self, loaded: Loaded, edits: Sequence[Edit]) -> Loaded:
        """Edit a loaded text and write it, unless the file changed.

        Raises:
            EditRefused: The edits cannot be made safely.
            RevisionConflict: The file changed since it was loaded.
            ConfigurationError: The result would not be valid.
            OSError: It cannot be written.
        """
        return self._replaced(loaded, *applied(loaded.text, loaded.configuration.document or None, edits))

    def change_entries(self, loaded: Loaded, changes: Sequence[EntryChange]) -> tuple[Loaded, Inverses]:
        """Change entries of a loaded text and write it; return also the inverse of each change. Raises as ``edit``."""
        result = reversibly(loaded.text, loaded.configuration.document or None, changes)
        return self._replaced(loaded, result.text, result.document), result.inverses

    def _replaced(self, loaded: Loaded, text: str, document: Any) -> Loaded:
        configuration = configuration_of(document, text, str(self._path), loaded.configuration)
        hashed = self._hashed(Loaded(text, revision_of(text.encode()), configuration))
        self._check(loaded.revision)
        return self._write(hashed)

    def _decoded(self, content: bytes) -> str:
        try:
            return content.decode()
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            raise ConfigurationError(
                "the file is not UTF-8 text; save it as UTF-8", file=str(self._path), line=line, syntax=True
            ) from None

    def _loaded(self, text: str) -> Loaded:
        return Loaded(text, revision_of(text.encode()), parse(text, str(self._path)))

    def _hashed(self, loaded: Loaded) -> Loaded:
        try:
            edit = secret.hashing_edit(loaded.configuration.management.secret_key, cost=self._cost)
        except ConfigurationError as error:
            raise error.within(str(self._path)) from None
        return loaded if edit is None else self._loaded(apply(loaded.text, [edit]))


def revision_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]
