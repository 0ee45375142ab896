import asyncio
import gzip
import json
import os
import signal
import time
from collections.abc import Callable

import pytest

from adapter.contract.expectations import OWN, own
from tests.stock.plugin.child import TRICKY
from tests.stock.plugin.conftest import Make
from tests.stock.plugin.stock import INFO, PAGE, PluginGateway, until
from tests.stock.table import FIGURE

pytestmark = pytest.mark.timeout(120)


@pytest.fixture
async def gateway(make: Make) -> PluginGateway:
    started = make()
    await started.open()
    return started


async def test_every_own_path_answers_with_the_key_and_none_without(gateway: PluginGateway) -> None:
    paths = [
        (method, own(name))
        for row in OWN
        for name, methods in ((row.name, row.methods), *row.parts)
        for method in methods
    ]

    for method, path in paths:
        assert (await gateway.ask(path, method=method))[0] == 200, (method, path)
    assert (await gateway.ask(INFO, key=False))[0] == 401
    assert (await gateway.ask(PAGE, key=False))[0] == 200


async def test_json_with_marks_arrives_byte_for_byte(gateway: PluginGateway) -> None:
    status, body, headers = await gateway.ask(f"{INFO}?do=tricky")

    assert (status, headers["Content-Encoding"]) == (200, "gzip")
    assert gzip.decompress(body) == TRICKY


@pytest.mark.parametrize("accepted", ["", "identity", "gzip;q=0", "gzip"])
async def test_json_that_the_process_sends_plain_arrives_equal_at_every_client(
    gateway: PluginGateway, accepted: str
) -> None:
    status, body, headers = await gateway.ask(f"{INFO}?do=plain", headers={"Accept-Encoding": accepted})

    sent = gzip.decompress(body) if headers.get("Content-Encoding") == "gzip" else body
    assert (status, "Content-Encoding" in headers) == (200, accepted == "gzip")
    assert sent.removeprefix(b"\xef\xbb\xbf") == TRICKY
    assert json.loads(sent) == json.loads(TRICKY)


async def test_an_answer_of_the_library_itself_is_not_escaped(make: Make) -> None:
    command = '/nonexistent/<it\'s "here" & there>'
    gateway = make(settings={"command": [command]})
    await gateway.start()

    async def tried() -> bool:
        return b"nonexistent" in (await gateway.ask(INFO))[1]

    await until(tried)
    for accepted in ("identity", "gzip"):
        status, body, headers = await gateway.ask(INFO, headers={"Accept-Encoding": accepted})
        sent = gzip.decompress(body) if headers.get("Content-Encoding") == "gzip" else body
        assert status == 503
        assert command in json.loads(sent)["error"]


async def test_a_long_body_is_refused_and_a_long_answer_arrives(gateway: PluginGateway) -> None:
    path = own("usage/import")

    status, body, _ = await gateway.ask(path, method="POST", body=b"x" * 20_000_000)
    assert status == 413
    assert b"body_too_large" in body
    assert (await gateway.ask(path, method="POST", body=b"x" * 8_000_000))[0] == 200
    assert len((await gateway.ask(f"{INFO}?do=large"))[1]) == 4_300_000


async def test_the_key_stays_with_the_gateway_and_the_environment_is_listed(make: Make) -> None:
    key_file = make(settings={"management-key-file": "/nonexistent"})
    await key_file.open()

    status, body, _ = await key_file.ask(INFO)
    assert status == 200
    assert b"X-Management-Key" not in body
    names = (await key_file.ask(f"{INFO}?do=environment"))[1]
    for secret in (b"OTHER_SECRET", b"MANAGEMENT_PASSWORD"):
        assert secret not in names
    assert b"HTTPS_PROXY" in names
    assert key_file.environment["MANAGEMENT_PASSWORD"] not in key_file.log.read_text("utf-8")


async def test_a_call_that_hangs_ends_by_its_deadline_and_delays_no_other(
    gateway: PluginGateway, record_property: Callable[[str, object], None]
) -> None:
    began = time.monotonic()
    hanging = asyncio.ensure_future(gateway.ask(f"{INFO}?do=hang"))
    await asyncio.sleep(0.2)
    assert await gateway.status(INFO) == 200
    status, body, _ = await hanging

    assert status == 504
    assert b"deadline_exceeded" in body
    taken = time.monotonic() - began
    record_property(FIGURE, f"a call that hangs ends after {taken:.1f} s")
    assert taken > 9
    (call,) = gateway.notes("hangs")
    assert 0 < call["seconds"] <= 10


@pytest.mark.parametrize("stopped", [True, False])
async def test_a_deleted_plugin_is_gone_in_time_with_a_call_under_way(
    gateway: PluginGateway, record_property: Callable[[str, object], None], *, stopped: bool
) -> None:
    (child,) = gateway.children()
    if stopped:
        os.kill(child, signal.SIGSTOP)
    else:
        await until(lambda: _answers(gateway))
    calling = asyncio.ensure_future(gateway.ask(f"{INFO}?do=hang"))
    await asyncio.sleep(0.3)

    began = time.monotonic()
    assert (await gateway.ask("/v0/management/plugins/poolkeeper", method="DELETE"))[0] == 200
    taken = time.monotonic() - began
    status, body, _ = await calling

    kind = "of a stopped process" if stopped else "that hangs"
    record_property(FIGURE, f"DELETE of the plugin during a call {kind}: {taken:.1f} s")
    # not 504, "deadline_exceeded": the call was ended before its ten seconds were over
    assert (status, json.loads(body)["code"]) == (503, "stopping")
    assert gateway.alive
    assert gateway.children() == []


async def _answers(gateway: PluginGateway) -> bool:
    return await gateway.status(INFO) == 200
