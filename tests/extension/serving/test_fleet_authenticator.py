"""The judge of requests to a fleet, made from settings."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from starlette.requests import HTTPConnection

from adapter.fake import FakeConnection, FakeGateway
from extension.api.auth.key_fingerprint import HeldKeyFingerprint
from extension.api.problems import Problem
from extension.serving.composition import assemble
from extension.serving.store_faults import every_fault
from extension.store.database.database import Database


class OnePool:
    """One gateway without labels."""

    async def labels_of(self, pool: str) -> Mapping[str, str] | None:
        return None if pool else {}


async def test_the_settings_name_the_proxies_and_the_roles_of_groups(tmp_path: Path) -> None:
    connection = FakeConnection(FakeGateway("", {}))
    variables = {
        "POOLKEEPER_DATA_DIR": str(tmp_path), "POOLKEEPER_TRUSTED_PROXIES": "10.0.0.0/8",
        "POOLKEEPER_GROUP_ROLES": "watchers=viewer",
    }  # fmt: skip
    assembly, _ = assemble(connection, variables, ends_at=every_fault)
    database = await Database.open(assembly.folder, assembly.clock)
    judge = assembly.fleet_authenticator(HeldKeyFingerprint(connection.gateway, "mark"), database, OnePool())

    def request(peer: str) -> HTTPConnection:
        headers = [(b"x-forwarded-user", b"ann"), (b"x-forwarded-groups", b"watchers")]
        path = "/v0/management/poolkeeper/pool"
        scope = {"type": "http", "path": path, "query_string": b"", "client": (peer, 1), "headers": headers}
        return HTTPConnection(scope)

    try:
        assert (await judge.identify(request("10.1.2.3"), "GET")).actor == "ann"
        with pytest.raises(Problem, match="not signed in"):
            await judge.identify(request("192.0.2.1"), "GET")
    finally:
        await database.close()
        assembly.folder.close()
