"""Atomic writes, for readers and across crashes.

The usual way is a synced temporary file in the same folder, renamed over the real one (links are followed first, mode
and owner kept). Where a rename is impossible (a bind-mounted file, a folder that is not writable, an owner that cannot
be set) the file is written in place, and a synced journal makes that recoverable: ``recover`` finishes it at the next
start. Journals are placed beside the file if possible, otherwise in the spare folders.
"""

import errno
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gateway.internal.configuration.files import SystemFiles

_NEW = ".new"
_JOURNAL = ".journal"
_LEFT_IN_FOLDERS = (f".json{_NEW}", f".json{_JOURNAL}")
_NO_RENAME = frozenset({errno.EBUSY, errno.EXDEV, errno.EACCES, errno.EPERM, errno.EROFS})


@dataclass(frozen=True, slots=True)
class _Journal:
    """A journal: hashes of the content before and after, and the content after."""

    before: str
    after: str
    content: bytes = field(repr=False)

    def encode(self) -> bytes:
        head = json.dumps({"before": self.before, "after": self.after}).encode()
        return head + b"\n" + self.content

    @classmethod
    def decode(cls, data: bytes) -> "_Journal | None":
        """Return the journal, or None when it is incomplete."""
        head, _, content = data.partition(b"\n")
        try:
            fields = json.loads(head)
            journal = cls(fields["before"], fields["after"], content)
        except (ValueError, KeyError, TypeError):
            return None
        return journal if journal.after == _hash(content) else None


class Writer:
    """Writes files atomically.

    ``spare_folders`` hold journals when the file's own folder cannot be written. They must be known before the file can
    be read, or ``recover`` would not find the journal.
    """

    def __init__(self, files: SystemFiles, spare_folders: Sequence[Path] = ()) -> None:
        self._files = files
        self._spare = tuple(spare_folders)

    def write(self, path: Path, content: bytes) -> None:
        """Replace a file's content; it is on disk when this returns.

        Raises:
            OSError: Nothing was changed, or the journal will repair an interrupted write in place.
        """
        real = self._files.resolve(path)
        temporary = real.with_name(f".{real.name}{_NEW}")
        identity = self._files.identity(real)
        try:
            self._files.create(temporary, content, identity)
            self._files.replace(temporary, real)
        except OSError as error:
            self._discard(temporary)
            if identity is None or error.errno not in _NO_RENAME:
                raise
            self._write_in_place(real, content)
            return
        self._files.sync_folder(real.parent)

    def recover(self, path: Path) -> bool:
        """Finish an interrupted write in place; return whether there was one.

        A file that is complete, or was edited since, stays unchanged.
        """
        real = self._files.resolve(path)
        if self._files.identity(real.with_name(f".{real.name}{_NEW}")) is not None:
            self._discard(real.with_name(f".{real.name}{_NEW}"))
        recovered = False
        for place in self._journals(real):
            if self._files.identity(place) is None:
                continue
            journal = _Journal.decode(self._files.read(place))
            if journal is not None and self._is_broken(real, journal):
                self._files.overwrite(real, journal.content)
                recovered = True
            self._files.remove(place)
        return recovered

    def recover_folder(self, folder: Path) -> None:
        """Finish every interrupted write to a credential file of a folder, and remove leftovers."""
        for place in self._files.listing(folder):
            if place.name.startswith(".") and place.name.endswith(_LEFT_IN_FOLDERS):
                self.recover(place.with_name(place.name[1:].removesuffix(_JOURNAL).removesuffix(_NEW)))

    def _is_broken(self, real: Path, journal: _Journal) -> bool:
        if self._files.identity(real) is None:
            return False
        current = self._files.read(real)
        if _hash(current) in {journal.before, journal.after}:
            return False
        return journal.content.startswith(current) or b"\0" in current

    def _write_in_place(self, real: Path, content: bytes) -> None:
        before = self._files.read(real)
        journal = _Journal(_hash(before), _hash(content), content)
        place = self._write_journal(real, journal.encode())
        try:
            self._files.overwrite(real, content)
        except OSError:
            self._files.overwrite(real, before)  # if this fails as well, the journal repairs the file at the next start
            self._files.remove(place)
            raise
        self._files.remove(place)

    def _write_journal(self, real: Path, data: bytes) -> Path:
        problem: OSError | None = None
        for place in self._journals(real):
            try:
                self._files.make_folder(place.parent)
                self._files.create(place, data, None)
                self._files.sync_folder(place.parent)
            except OSError as error:
                self._discard(place)
                problem = error
            else:
                return place
        raise problem if problem is not None else FileNotFoundError(real)

    def _journals(self, real: Path) -> list[Path]:
        beside = real.with_name(f".{real.name}{_JOURNAL}")
        tag = _hash(str(real).encode())[:8]
        return [beside, *(folder / f".{real.name}.{tag}{_JOURNAL}" for folder in self._spare)]

    def _discard(self, path: Path) -> None:
        try:
            self._files.remove(path)
        except OSError:  # it was never made, or the folder allows neither making nor removing
            return


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
