"""Folders of bundles that several checks of one command read, each fetched once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TypeAlias

from ...git.command import Git
from ...lockfile.pin import BundleRecord
from ...system.working_folder import working_folder
from .bundle_folder import BundleFolder

_Key: TypeAlias = "tuple[Path, BundleRecord, str]"


class FetchedBundles:
    """Bare repositories of the bundles fetched in a block; they are removed at its end.

    A bundle published meanwhile makes the record another one, which is fetched anew.
    """

    def __init__(self, folders: ExitStack) -> None:
        self._folders = folders
        self._held: dict[_Key, Git] = {}

    @classmethod
    @contextmanager
    def for_a_command(cls) -> Iterator[FetchedBundles]:
        """Hold nothing yet, and remove at the end of the block what was fetched in it."""
        with ExitStack() as folders:
            yield cls(folders)

    def repository(self, bundles: BundleFolder, object_format: str, fetch: Callable[[Path], Git]) -> Git:
        """Return git on the repository that `fetch` makes of the bundles in an empty folder; nobody may write to it.

        Raises:
            ToolError: they cannot be fetched.
        """
        key = (bundles.path, bundles.all(), object_format)
        if key not in self._held:
            folder = self._folders.enter_context(working_folder("bundles-"))
            self._held[key] = fetch(Path(folder))
        return self._held[key]
