"""The labelled pool in our gateway: config.yaml has the same bytes after an undo."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from gateway.internal.management.application import build_application
from gateway.internal.runtime import Runtime

from adapter.embedded import EmbeddedConnection, EmbeddedGateway
from tests.contract.labelled_pool import FILES, labelled_entries, labelled_text
from tests.contract.labelled_rules import OUR_GATEWAY
from tests.contract.labelled_walk import Walk
from tests.contract.pool import DEAD_ADDRESS, INSTALLATION_KEY, MANAGEMENT_KEY

LEAST_ACCOUNTS = 300


@asynccontextmanager
async def _our_gateway(folder: Path) -> AsyncIterator[EmbeddedGateway]:
    for name, content in FILES.items():
        path = folder / "auths" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content), encoding="utf-8")
    head = f'# the labelled pool\nhost: "127.0.0.1"  # loopback\nauth-dir: "{folder / "auths"}"\n'
    config = folder / "config.yaml"
    config.write_text(head + labelled_text(DEAD_ADDRESS) + "# the end\n", encoding="utf-8")
    runtime = Runtime(config, environment={"MANAGEMENT_PASSWORD": MANAGEMENT_KEY}, watch=False)
    connection = EmbeddedConnection(runtime, build_application(runtime))
    connection.bind(INSTALLATION_KEY)
    await runtime.start()
    try:
        yield connection.gateway
    finally:
        await connection.close()
        await runtime.stop()


@pytest.mark.timeout(120)
async def test_every_entry_of_the_labelled_pool_ends_as_its_table_says(tmp_path: Path) -> None:
    async with _our_gateway(tmp_path) as gateway:
        config = tmp_path / "config.yaml"
        before = config.read_bytes()
        walk = Walk(gateway, tmp_path, OUR_GATEWAY, list(labelled_entries(DEAD_ADDRESS)), config.read_bytes)
        assert await walk.go() >= LEAST_ACCOUNTS
        # enabling a provider writes `disabled: false`, as stock does, where an undo takes the line out
        assert config.read_bytes().replace(b"    disabled: false\n", b"") == before
