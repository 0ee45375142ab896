"""Actions of a run through the real gateway, on the bytes of its configuration."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from gateway.internal.configuration.files import SystemFiles
from gateway.internal.management.application import build_application
from gateway.internal.runtime import Runtime

from adapter.embedded import EmbeddedConnection, EmbeddedGateway
from adapter.fake import reply
from adapter.port import Answer, NoAnswer, OutboundCall
from adapter.secret import Redactor
from extension.engine.inspector import Inspector
from extension.store.database import Database
from extension.store.datafolder import DataFolder
from extension.store.records import ActionOutcome
from tests.extension.engine.scenario import FlyingClock, ended, fleet, settings

FLEET = "# the fleet\n" + fleet({"refusing": 500}) + "# its end\n"


class CountingFiles(SystemFiles):
    """The real file system, counting how often config.yaml is put in place."""

    written = 0

    def replace(self, source: Path, target: Path) -> None:
        self.written += target.name == "config.yaml"
        super().replace(source, target)


class Refused(EmbeddedGateway):
    """The embedded gateway in front of a provider that refuses every key."""

    async def call(self, request: OutboundCall, *, timeout: float) -> Answer | NoAnswer:  # noqa: ASYNC109 - the port's
        del request, timeout
        return reply(401)


@asynccontextmanager
async def embedded(folder: Path, files: SystemFiles) -> AsyncIterator[Inspector]:
    (folder / "auths").mkdir()
    (folder / "config.yaml").write_text(f"auth-dir: {folder / 'auths'}\n{FLEET}", encoding="utf-8")
    password = {"MANAGEMENT_PASSWORD": os.urandom(8).hex()}
    runtime = Runtime(folder / "config.yaml", environment=password, files=files, watch=False)
    connection = EmbeddedConnection.open(runtime, build_application(runtime))
    connection.bind(b"an installation key for this test")
    connection.gateway.__class__ = Refused
    await runtime.start()
    try:
        with DataFolder.open(folder / "data") as data:
            database = await Database.open(data)
            inspector = Inspector(connection.gateway, database, FlyingClock(), Redactor())
            await inspector.open()
            yield inspector
            await inspector.close()
            await database.close()
    finally:
        await connection.close()
        await runtime.stop()


async def test_500_disables_that_wait_are_one_write_and_their_undo_restores_every_byte(tmp_path: Path) -> None:
    files = CountingFiles()
    async with embedded(tmp_path, files) as inspector:
        before = (tmp_path / "config.yaml").read_bytes()
        chosen = settings(autoActionMode="disable", realtimeAutoActions={"disable": False})
        run = await ended(inspector, (await inspector.start(chosen, "anna")).id)
        made = await inspector.actions(1000)
        assert [action.outcome for action in made] == [ActionOutcome.APPLIED] * 500
        assert len({action.account_id for action in made}) == 500
        assert files.written == 1
        undone = await inspector.consequences.undo_run(run.id, "ben")
        assert [action.outcome for action in undone] == [ActionOutcome.APPLIED] * 500
        assert files.written == 2
        assert (tmp_path / "config.yaml").read_bytes() == before
