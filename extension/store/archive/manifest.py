"""Manifest of an archive: its first member, which names and describes all others."""

import io
import json
import re
import tarfile
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from extension.store.errors import ArchiveRefused
from extension.store.schema.upgrade import known_revisions

FORMAT: Final = "poolkeeper-backup"
FORMAT_VERSION: Final = 1
NAME: Final = "manifest.json"
DATABASE: Final = "poolkeeper.db"
KEY: Final = "secret.key"
CHANNELS: Final = "channels.json"
FILES: Final = (KEY, CHANNELS)
"""Files of the data folder beside the database."""
PRIVATE: Final = 0o600
_LIMIT: Final = 100_000
_TABLE: Final = re.compile(r"([a-z][a-z_]{0,62})\.rows")


@dataclass(frozen=True, slots=True)
class Manifest:
    """Description of an archive: schema revision, time in milliseconds UTC, version that wrote it, and its members.

    `members` are digests by name. An archive of SQLite holds the database file, one of PostgreSQL the rows of each
    table.
    """

    revision: str
    made_at: int
    made_by: str
    members: Mapping[str, str]

    @property
    def tables(self) -> tuple[str, ...]:
        """Names of the tables of an archive of PostgreSQL."""
        return tuple(found[1] for name in self.members if (found := _TABLE.fullmatch(name)))

    def as_member(self) -> tuple[tarfile.TarInfo, io.BytesIO]:
        """Return the member of the archive and its content."""
        content = json.dumps(
            {
                "format": FORMAT,
                "version": FORMAT_VERSION,
                "revision": self.revision,
                "made_at": self.made_at,
                "made_by": self.made_by,
                "members": dict(self.members),
            },
            indent=1,
        ).encode()
        member = tarfile.TarInfo(NAME)
        member.size, member.mode = len(content), PRIVATE
        return member, io.BytesIO(content)


def rows_member(table: str) -> str:
    """Return the name of the member that holds the rows of a table."""
    return f"{table}.rows"


def read_manifest(archive: tarfile.TarFile) -> Manifest:
    """Read the first member of an archive.

    Raises:
        ArchiveRefused: it is none of ours, damaged, or of a newer version.
    """
    member = archive.next()
    if member is None or member.name != NAME or not member.isfile() or member.size > _LIMIT:
        raise ArchiveRefused("The file is no backup of Poolkeeper.")
    content = archive.extractfile(member)
    try:
        stored: Any = json.loads(content.read() if content else b"")
        if stored["format"] != FORMAT:
            raise ArchiveRefused("The file is no backup of Poolkeeper.")
        if stored["version"] > FORMAT_VERSION:
            raise ArchiveRefused("The backup was written by a newer version of Poolkeeper. Restore it with that one.")
        members = {str(name): str(digest) for name, digest in stored["members"].items()}
        manifest = Manifest(str(stored["revision"]), int(stored["made_at"]), str(stored["made_by"]), members)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ArchiveRefused("The file is no backup of Poolkeeper, or it is damaged.") from error
    databases = {DATABASE} if DATABASE in members else {rows_member(table) for table in manifest.tables}
    if not databases or KEY not in members or not members.keys() <= {*databases, *FILES}:
        raise ArchiveRefused("The backup does not hold a database and its key, or it holds foreign files.")
    if manifest.revision not in known_revisions():
        raise ArchiveRefused("The backup was written by a newer version of Poolkeeper. Restore it with that one.")
    return manifest
