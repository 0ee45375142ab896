"""What a reload does to credentials, counters, the folder of files, and the running server."""

import asyncio
import json
from pathlib import Path

from tests.conformance.editing import in_place, rename_over, watched
from tests.conformance.stock import ask, profiled
from tests.management.serving import Served, gateway


async def test_credential_files_are_followed_and_an_atomic_replacement_is_no_removal(tmp_path: Path) -> None:
    async with watched(tmp_path) as watching:
        auths, runtime = watching.runtime.auth_dir, watching.runtime

        async def seen() -> dict[str, str]:
            await watching.look()
            return {each.id: each.label for each in runtime.snapshot.credentials}

        def put(name: str, email: str) -> None:
            (auths / name).write_text(json.dumps({"type": "claude", "email": email}))

        put("a.json", "one")
        assert await seen() == {"a.json": "one"}
        born = runtime.snapshot.credentials[0].created_at
        runtime.activity.record("a.json", success=True)
        put("fresh.tmp", "two")
        (auths / "fresh.tmp").replace(auths / "a.json")
        assert await seen() == {"a.json": "two"}
        assert (runtime.snapshot.credentials[0].created_at, runtime.activity.totals("a.json")) == (born, (1, 0))
        (auths / "a.json").rename(auths / "b.json")
        assert await seen() == {"b.json": "two"}
        (auths / "b.json").write_text("{half")
        assert await seen() == {}
        put("b.json", "three")
        assert await seen() == {"b.json": "three"}
        (auths / "b.json").unlink()
        assert await seen() == {}


async def test_counters_and_cool_downs_stay_while_the_id_stays(tmp_path: Path) -> None:
    async with watched(tmp_path, "claude-api-key: [{api-key: k}]\n") as watching:
        runtime = watching.runtime
        (before,) = runtime.snapshot.credentials
        runtime.activity.record(before.id, success=False)
        watching.path.write_text(watching.path.read_text() + "debug: true\n")
        await watching.look()
        assert runtime.activity.totals(before.id) == (0, 1)
        watching.path.write_text(watching.path.read_text().replace("api-key: k", "api-key: other"))
        await watching.look()
        assert runtime.activity.totals(before.id) == (0, 0)


async def test_host_port_and_tls_are_read_at_the_start_only(tmp_path: Path) -> None:
    async with gateway(tmp_path, profiled(tmp_path)) as served:
        text = served.runtime.config_path.read_text().replace('host: "127.0.0.1"', 'host: "192.0.2.1"')
        served.runtime.config_path.write_text(text + "port: 1\ntls: {enable: true, cert: none, key: none}\n")
        await served.runtime.reload()
        assert served.runtime.configuration.port == 1
        assert (await ask(served, "GET debug")).status == 200


async def until(served: Served, value: bool) -> None:
    """Ask for the debug switch again and again until the answer is the awaited one."""
    async with asyncio.timeout(20):
        while (await ask(served, "GET debug")).json != {"debug": value}:
            pass


async def test_a_running_gateway_sees_a_replaced_file_by_itself(tmp_path: Path) -> None:
    async with gateway(tmp_path, profiled(tmp_path), watch=True) as served:
        rename_over(served.runtime.config_path, profiled(tmp_path, "debug: true\n"))
        await until(served, True)
        in_place(served.runtime.config_path, profiled(tmp_path, "debug: false\n"))
        await until(served, False)
