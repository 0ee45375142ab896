"""A stock gateway in a folder of its own, with whatever configuration a test gives it."""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from adapter.management import ManagementConnection
from adapter.management.client.http import HttpTransport
from adapter.management.listing.sections import canonical
from adapter.privacy.secret import Secret
from tests.contract.stock_stage import GatewayProcess, binaries, until, wait_until_up
from tools.project.demo.ports import free_port

KEY = "the management key of these tests"
INSTALLATION_KEY = bytes(range(32))


@dataclass(frozen=True)
class Stock:
    """A running gateway: its address, its configuration on disk, its process."""

    address: str
    config: Path
    connection: ManagementConnection
    process: GatewayProcess

    def sections(self) -> dict[str, Any]:
        """Return the meaning of config.yaml, in the form in which equal meanings are equal."""
        sections: dict[str, Any] = canonical(yaml.safe_load(self.config.read_text(encoding="utf-8")))
        return sections


@asynccontextmanager
async def stock_gateway(
    folder: Path,
    config: Mapping[str, Any],
    files: Mapping[str, Any],
    *,
    bcrypt: bool = False,
    command: Sequence[str] | None = None,
) -> AsyncIterator[Stock]:
    """Start the binary and wait until every key is live; with `bcrypt` its key is in the configuration, hashed.

    `command` starts another gateway instead; the path of the configuration is added to it.
    """
    port = free_port()
    (folder / "auths").mkdir()
    for name, content in files.items():
        path = folder / "auths" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content), encoding="utf-8")
    management: dict[str, Any] = {"disable-control-panel": True} | ({"secret-key": KEY} if bcrypt else {})
    whole = {
        "host": "127.0.0.1",
        "port": port,
        "auth-dir": str(folder / "auths"),
        "remote-management": management,
        "api-keys": ["a-client-key"],
        **config,
    }
    path = folder / "config.yaml"
    path.write_text(yaml.safe_dump(whole, sort_keys=False), encoding="utf-8")
    environment = {} if bcrypt else {"MANAGEMENT_PASSWORD": KEY}
    process = GatewayProcess([*(command or (binaries()[0], "-config")), str(path)], folder, environment)
    await process.start()
    transport = HttpTransport(f"http://127.0.0.1:{port}", Secret(KEY))
    connection = ManagementConnection(f"http://127.0.0.1:{port}", Secret(KEY))
    connection.bind(INSTALLATION_KEY)
    try:
        await wait_until_up(transport, process)

        async def live() -> bool:
            accounts = (await connection.gateway.accounts()).accounts
            return bool(accounts) and all(account.probeable for account in accounts if account.enabled)

        await until(live)
        yield Stock(f"http://127.0.0.1:{port}", path, connection, process)
    finally:
        await connection.close()
        await transport.close()
        await process.stop()
