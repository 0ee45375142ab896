"""Channels as persons set them: their addresses are secrets, so they are kept outside the database.

They are in `channels.json` of the data folder (mode 0600).
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from adapter.privacy.secret import Secret
from extension.store.data_folder import DataFolder
from extension.store.errors import DataFolderUnusable
from extension.store.regular_file import read_regular_json

_NAME = "channels.json"


class ChannelKind(StrEnum):
    """Form of the messages of a channel: text by the Apprise library, or JSON in a POST to a URL (a webhook)."""

    APPRISE = "apprise"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class ChannelRecord:
    """One channel: its name, kind and address, and the topics it reports (none: all of them)."""

    id: int
    name: str
    kind: ChannelKind
    address: Secret
    topics: tuple[str, ...] = ()


class ChannelFile:
    """Reads and writes the channels of one data folder."""

    def __init__(self, folder: DataFolder) -> None:
        self._folder = folder
        self._path = folder.path / _NAME

    def read(self) -> tuple[ChannelRecord, ...]:
        """Return the channels, in the order they were added, or raise `DataFolderUnusable`."""
        try:
            rows = read_regular_json(self._path)
            return tuple(
                ChannelRecord(
                    int(row["id"]),
                    str(row["name"]),
                    ChannelKind(row["kind"]),
                    Secret(str(row["address"])),
                    tuple(row["topics"]),
                )
                for row in rows
            )
        except FileNotFoundError:
            return ()
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise DataFolderUnusable(f"{self._path} cannot be read: {type(error).__name__}. Remove it.") from error

    def write(self, channels: Sequence[ChannelRecord]) -> None:
        """Keep these channels from now on, or raise `DataFolderUnusable`."""
        rows = [
            {
                "id": channel.id,
                "name": channel.name,
                "kind": channel.kind,
                "address": channel.address.reveal(),
                "topics": list(channel.topics),
            }
            for channel in channels
        ]
        try:
            self._folder.write_private(self._path, f"{json.dumps(rows, indent=2)}\n")
        except OSError as error:
            raise DataFolderUnusable(
                f"{self._path} cannot be written: {error.strerror or type(error).__name__}. "
                "Give the service's user write access to it."
            ) from error
