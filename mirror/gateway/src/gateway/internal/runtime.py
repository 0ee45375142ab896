"""The live gateway without HTTP: its configuration, its pool, and all changes of either."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import structlog

from gateway.internal.admission.bans import BanTable
from gateway.internal.admission.gatekeeper import Gatekeeper
from gateway.internal.admission.presented import holds_template
from gateway.internal.admission.verifier import Verifier
from gateway.internal.configuration import secret
from gateway.internal.configuration.applying import EntryChange
from gateway.internal.configuration.edits import Edit
from gateway.internal.configuration.errors import ConfigurationError, reason_of, unreadable
from gateway.internal.configuration.files import SystemFiles
from gateway.internal.configuration.inverse import Inverses
from gateway.internal.configuration.model import Configuration, narrowed
from gateway.internal.configuration.store import ConfigurationFile, Loaded
from gateway.internal.configuration.writing import Writer
from gateway.internal.inference.traffic import Traffic
from gateway.internal.outbound.client import Outbound
from gateway.internal.plugins.plugin_set import PluginSet
from gateway.internal.pool.activity import Activity
from gateway.internal.pool.folder import AuthFolder, shown_folder
from gateway.internal.pool.keys import Keys, synthesise
from gateway.internal.pool.snapshot import PoolSnapshot, snapshot_of
from gateway.internal.reading import Reading, ReadingLeft
from gateway.internal.watching import FileNotices, Following, Watcher

T = TypeVar("T")
_log = structlog.get_logger("gateway")
_NOTHING = Loaded("", "", Configuration())


class Runtime:
    """State of a running gateway. Readers use ``configuration`` and ``snapshot``: both are immutable values.

    Args:
        config_path: config.yaml; must exist when ``start`` is called.
        environment: Process environment (``MANAGEMENT_PASSWORD`` is read from it).
        local_password: Password accepted from local clients, or None.
        files: The file system.
        now: The server's clock, in its local zone.
        hashing_cost: bcrypt cost for a clear-text secret.
        watch: False where files do not change outside the gateway, as in most tests.
    """

    def __init__(
        self,
        config_path: Path,
        *,
        environment: Mapping[str, str],
        local_password: str | None = None,
        files: SystemFiles | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC).astimezone(),
        hashing_cost: int = secret.COST,
        watch: bool = True,
    ) -> None:
        self.config_path = config_path
        self.environment = environment
        self.local_password = local_password
        self.snapshot = PoolSnapshot()
        self.safe_mode = False  # decided at the start; ends with the configuration that has no template keys
        self.activity = Activity(now)
        self.gatekeeper = Gatekeeper(BanTable(time.monotonic), Verifier())
        self.outbound = Outbound()
        self.traffic = Traffic()
        self.plugins = PluginSet(config_path, lambda: self.configuration, environment)
        self._files: SystemFiles = files or SystemFiles()
        self._now = now
        self._loaded = _NOTHING
        self._keys = Keys((), ())
        self._folder = AuthFolder(self._files)
        # The spare folder does not depend on auth-dir: a broken-off write may have made config.yaml unreadable.
        self._store = ConfigurationFile(
            config_path, self._files, Writer(self._files, (shown_folder(""),)), hashing_cost
        )
        self._reported = ""
        self._changing = asyncio.Lock()
        self._narrowed: Configuration | None = None
        self._reading = Reading()
        notices = FileNotices(config_path, self.take_away)
        self._following = Following(Watcher(self._look, self.reload), notices) if watch else None

    @property
    def configuration(self) -> Configuration:
        """The last valid configuration, without access that a newer config.yaml revokes."""
        return self._narrowed or self._loaded.configuration

    @property
    def text(self) -> str:
        """Text of the configuration, with its secrets."""
        return self._loaded.text

    @property
    def revision(self) -> str:
        return self._loaded.revision

    @property
    def auth_dir(self) -> Path:
        """The folder of the credential files, as shown to clients: relative when it is configured so."""
        return shown_folder(self.configuration.auth_dir)

    async def start(self) -> None:
        """Load everything and start watching; raises ``ConfigurationError``, whose one line has the remedy."""
        self._reading = Reading()
        await asyncio.to_thread(self._open)
        if self._following:
            await self._following.start()
        await self.plugins.start()

    async def stop(self) -> None:
        """End plugins and watching, and close connections. A change in progress is finished first, a reload is not."""
        await self.plugins.stop()
        self._reading.leave()
        if self._following:
            await self._following.stop()
        self.gatekeeper.close()
        async with self._changing:
            await self.outbound.close()

    async def reload(self) -> None:
        """Reload changed files. An invalid config.yaml is logged once, and the last valid one stays."""
        await self.exclusively(self.refresh)

    async def take_away(self) -> None:
        """Revoke access that a new config.yaml revokes, before the file has come to rest; the reload follows."""
        before = self._loaded
        try:
            new = await self._reading.run(self._store.glimpse, before)
        except ReadingLeft:
            return
        if new is not None and self._loaded is before:
            self._narrowed = narrowed(before.configuration, new)

    async def exclusively(self, work: Callable[[], Awaitable[T]]) -> T:
        """Run work while no other change runs; cancelling the caller waits for it to finish."""

        async def alone() -> T:
            async with self._changing:
                return await work()

        task = asyncio.ensure_future(alone())
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            await asyncio.wait([task])
            raise

    async def refresh(self) -> ConfigurationError | None:
        """Reload inside ``exclusively``; return the error of config.yaml, if any."""
        try:
            loaded = await self._reading.run(self._load)
        except ReadingLeft:
            return None
        except ConfigurationError as error:
            self._report(error)
            await self._assign(self._loaded)
            return error
        self._reported = ""
        await self._assign(loaded)
        return None

    async def write_edits(self, edits: Sequence[Edit]) -> None:
        """Edit config.yaml and reload, inside ``exclusively``; raises as ``ConfigurationFile.edit``."""
        await self._assign(await asyncio.to_thread(self._store.edit, self._loaded, edits))

    async def change_entries(self, changes: Sequence[EntryChange]) -> Inverses:
        """Change entries and reload, as ``write_edits``; return the inverse of each change."""
        loaded, inverses = await asyncio.to_thread(self._store.change_entries, self._loaded, changes)
        await self._assign(loaded)
        return inverses

    async def write_text(self, text: str, expect: str | None) -> None:
        """Replace config.yaml and reload, inside ``exclusively``; raises as ``ConfigurationFile.replace``."""
        await self._assign(await asyncio.to_thread(self._store.replace, text, expect))

    async def read_text(self) -> str:
        """Return config.yaml as it is on disk."""
        return await asyncio.to_thread(self._store.read)

    async def read_file(self, path: Path) -> bytes:
        return await asyncio.to_thread(self._files.read, path)

    async def write_file(self, path: Path, content: bytes) -> None:
        """Write a credential file, inside ``exclusively``; a ``refresh`` must follow."""
        await asyncio.to_thread(Writer(self._files).write, path, content)

    async def remove_file(self, path: Path) -> None:
        """Remove a credential file, inside ``exclusively``; a ``refresh`` must follow."""
        await asyncio.to_thread(self._files.remove, path)

    async def file_names(self) -> list[str]:
        """Return the names of the ``*.json`` files directly in auth-dir, credential or not; may raise OSError."""
        return await asyncio.to_thread(self._folder.names, self.auth_dir)

    def _open(self) -> None:
        try:
            if self._store.recover():
                _log.warning("config.yaml was repaired from its journal: the last write had been broken off")
            loaded = self._load()
        except OSError as error:
            raise unreadable(error, self.config_path) from None
        folder = shown_folder(loaded.configuration.auth_dir)
        try:
            self._files.make_folder(folder)
            for inner in self._folder.folders(folder):
                Writer(self._files).recover_folder(inner)
            self._take(loaded, *self._made(loaded))
        except OSError as error:
            raise ConfigurationError(
                f"auth-dir {folder} cannot be made or read ({reason_of(error)}); set auth-dir to another folder",
                file=str(self.config_path),
            ) from None

    def _load(self) -> Loaded:
        try:
            text = self._store.read()
            if text == self._loaded.text and self._loaded is not _NOTHING:
                return self._loaded
            loaded = self._store.load()
            if not loaded.configuration.document:
                raise ConfigurationError("the file is empty: write at least host and port", file=str(self.config_path))
        except OSError as error:
            raise unreadable(error, self.config_path) from None
        return loaded

    async def _assign(self, loaded: Loaded) -> None:
        self._take(loaded, *await asyncio.to_thread(self._made, loaded))
        self.plugins.refresh()

    def _made(self, loaded: Loaded) -> tuple[Keys, PoolSnapshot]:
        keys = self._keys if loaded is self._loaded else synthesise(loaded.configuration, self._keys)
        files = self._folder.scan(shown_folder(loaded.configuration.auth_dir), self._now())
        return keys, snapshot_of((*keys.live, *files), keys.dormant, self.snapshot)

    def _take(self, loaded: Loaded, keys: Keys, snapshot: PoolSnapshot) -> None:
        starting = self._loaded is _NOTHING
        self._loaded, self._keys, self.snapshot, self._narrowed = loaded, keys, snapshot, None
        self.safe_mode = (starting or self.safe_mode) and holds_template(self.configuration.api_keys)
        self.activity.retain({credential.id for credential in (*snapshot.credentials, *snapshot.dormant)})
        password = self.environment.get("MANAGEMENT_PASSWORD", "").strip() or self.local_password
        secret_set = bool(self.configuration.management.secret_key or password)
        self.traffic.update(self.configuration, snapshot, managed=secret_set)

    def _report(self, error: ConfigurationError) -> None:
        if str(error) != self._reported:
            self._reported = str(error)
            _log.error("config.yaml is not usable; the last good one stays in use", problem=str(error))

    def _look(self) -> Hashable:
        return self._files.stamp(self.config_path), self._folder.fingerprint(self.auth_dir)
