"""Sealing of the stored keys of a fleet with another key file, while consoles and workers run or not."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from adapter.clock import SystemClock
from adapter.privacy.secret import Secret
from extension.serving.errors import SettingInvalid
from extension.serving.fleet.engines import key_file_of
from extension.serving.settings.service_settings import FLEET_FOLDER, state_folder
from extension.serving.settings.sources import gather, read_settings_file
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database, Transaction
from extension.store.database.opening import server_storage
from extension.store.fleet import gateways
from extension.store.sealing import Seal


def reseal(environment: Mapping[str, str], data_dir: Path | None, new_file: Path) -> tuple[int, Path]:
    """Seal all keys with a key file, which is made where there is none; return their number and the old key file.

    Raises:
        SettingInvalid: no database is named.
        StoreError: a key does not open, or a file or the database cannot be used; nothing was changed.
    """
    settings = gather(environment=environment, file=read_settings_file(environment)).settings
    if not settings.database_url:
        raise SettingInvalid("A fleet needs a PostgreSQL database: set POOLKEEPER_DATABASE_URL.")
    folder = data_dir or settings.data_dir or state_folder(environment) / FLEET_FOLDER
    old_file = key_file_of(settings.fleet_key_file, folder)
    old, new = Seal.of_file(old_file), Seal.of_file(new_file, make=True, private=True)

    def seal_anew(transaction: Transaction) -> int:
        sealed = [row for row in gateways.every(transaction) if row.key_sealed is not None]
        for row in sealed:
            key = old.open(row.key_sealed or b"", row.place)
            # A refused key stays refused: its mark is made with the key file as well.
            mark = new.mark(key) if row.refused_mark == old.mark(key) else row.refused_mark
            resealed = replace(row, key_sealed=new.seal(key, row.place), refused_mark=mark, revision=row.revision + 1)
            gateways.put(transaction, resealed)
        return len(sealed)

    async def work() -> int:
        storage = server_storage(Secret(settings.database_url))
        database = await Database.open(DataFolder.without_files(folder), SystemClock(), storage)
        try:
            return await database.write(seal_anew)
        finally:
            await database.close()

    return asyncio.run(work()), old_file
