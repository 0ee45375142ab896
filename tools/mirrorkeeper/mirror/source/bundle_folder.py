"""The folder of bundles: one immutable file a release, and the record of their order and hashes.

The record is `SHA256SUMS`, in the order the bundles were published and have to be fetched; `sha256sum -c` reads it.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import NamedTuple

from ...errors import ToolError
from ...lockfile.pin import BundleRecord
from ...system.regular_file import NotRegularError, read_regular_file
from ...text import counted
from .place import Place

RECORD = "SHA256SUMS"
_LINE = re.compile(r"([0-9a-f]{64})  ([^/\x00-\x1f]+\.bundle)")


class Bundle(NamedTuple):
    """One recorded bundle: file name and SHA-256 of the file."""

    name: str
    sha256: str

    @property
    def tag(self) -> str:
        """The release it brings."""
        return self.name.removesuffix(".bundle")


class BundleProblem(NamedTuple):
    """A problem with one bundle file; `missing` when it is only not there."""

    name: str
    text: str
    missing: bool = False


class BundleFolder(NamedTuple):
    """A folder of bundles; `shown` is how messages name it."""

    path: Path
    shown: str

    @property
    def record(self) -> Path:
        """Path of the record."""
        return self.path / RECORD

    def read(self) -> tuple[Bundle, ...]:
        """Return the recorded bundles in order; none when nothing was published yet.

        Raises:
            ToolError: the record is not in the format of these tools.
        """
        try:
            text = read_regular_file(self.record).decode("utf-8")
        except FileNotFoundError:
            return ()
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, NotRegularError) else error
            advice = "restore the folder from version control"
            raise ToolError(f"{self.shown}/{RECORD} cannot be read: {reason}", advice) from error
        bundles = []
        for number, line in enumerate(text.splitlines(), 1):
            match = _LINE.fullmatch(line)
            if match is None:
                raise ToolError(f"{self.shown}/{RECORD}, line {number}: not a hash and the name of a bundle")
            bundles.append(Bundle(match[2], match[1]))
        return tuple(bundles)

    def first(self, count: int) -> BundleRecord:
        """The first lines of the record, at most so many; a release published later only adds to them."""
        lines = self.read()[:count]
        return BundleRecord(len(lines), hashlib.sha256(self.render(lines)).hexdigest())

    def all(self) -> BundleRecord:
        """The whole record."""
        return self.first(len(self.read()))

    def problems(self) -> tuple[BundleProblem, ...]:
        """Return the problems with the files: changed, missing, not recorded, recorded twice; in its order."""
        recorded = self.read()
        names = [bundle.name for bundle in recorded]
        found = [BundleProblem(name, "is recorded twice") for name in sorted(set(names)) if names.count(name) > 1]
        for bundle in recorded:
            path = self.path / bundle.name
            if path.is_symlink():
                found.append(BundleProblem(bundle.name, "is a link, not the recorded file"))
            elif not path.is_file():
                found.append(BundleProblem(bundle.name, "is recorded and not there", missing=True))
            elif file_hash(path) != bundle.sha256:
                text = "is not the file that was recorded: a published bundle never changes"
                found.append(BundleProblem(bundle.name, text))
        unknown = sorted(path.name for path in self.path.glob("*.bundle") if path.name not in names)
        if unknown and not recorded:
            return (self._lost_record(unknown),)
        text = "is not recorded: an interrupted publish, delete it"
        return (*found, *(BundleProblem(name, text) for name in unknown))

    def _lost_record(self, names: list[str]) -> BundleProblem:
        state = "is empty" if self.record.exists() else "is not there"
        first = f"; after a first publish that was interrupted, delete {names[0]}" if len(names) == 1 else ""
        return BundleProblem(
            RECORD, f"{state}, and {counted(len(names), 'bundle')} beside it: nothing says which they are{first}"
        )

    def checked(self) -> tuple[Bundle, ...]:
        """Return the recorded bundles when every file is as recorded.

        Raises:
            ToolError: one is not.
        """
        for problem in self.problems():
            advice = "restore the folder from version control"
            raise ToolError(f"{self.shown}/{problem.name} {problem.text}", advice)
        return self.read()

    def render(self, bundles: tuple[Bundle, ...]) -> bytes:
        """The text of the record for these bundles."""
        return "".join(f"{bundle.sha256}  {bundle.name}\n" for bundle in bundles).encode()


def bundle_record(place: Place) -> BundleRecord | None:
    """The record of a place that is a folder of bundles; None of any other, and while nothing was published."""
    folder = BundleFolder(place.local, place.text)
    return folder.all() if place.is_bundles and folder.read() else None


def file_hash(path: Path) -> str:
    """SHA-256 of a file, hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
