from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from gateway.internal.configuration.errors import ConfigurationError, RevisionConflict
from gateway.internal.operations.configuration import as_json, read_document, write_text
from tests.operations.gateways import Bench, running


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    async with running(tmp_path) as bench:
        yield bench


async def test_a_written_text_is_loaded_byte_for_byte_when_the_call_returns(bench: Bench) -> None:
    text = "# new\r\nport: 7 # seven\r\n"
    revision = await write_text(bench.runtime, text.encode())
    assert bench.config.read_bytes() == text.encode()
    assert bench.runtime.configuration.port == 7
    assert (await read_document(bench.runtime)).revision == revision == bench.runtime.revision


async def test_a_stale_revision_is_a_conflict_and_nothing_is_written(bench: Bench) -> None:
    before = bench.config.read_text()
    with pytest.raises(RevisionConflict) as caught:
        await write_text(bench.runtime, "port: 7\n", "0" * 16)
    assert caught.value.now == bench.runtime.revision
    assert bench.config.read_text() == before
    await write_text(bench.runtime, "port: 7\n", caught.value.now)


@pytest.mark.parametrize(
    ("text", "syntax"), [(b"a: [", True), (b"\xff", True), (b"port: x", True), (b"port: 70000", False)]
)
async def test_an_invalid_text_is_refused_and_nothing_is_written(bench: Bench, text: bytes, syntax: bool) -> None:
    before = bench.config.read_text()
    with pytest.raises(ConfigurationError) as caught:
        await write_text(bench.runtime, text)
    assert caught.value.syntax is syntax
    assert bench.config.read_text() == before


async def test_a_mapping_that_is_half_written_is_completed_with_its_defaults(bench: Bench) -> None:
    await write_text(bench.runtime, "tls: {enable: true}\nrouting:\nquota-exceeded: {x: 1}\n")
    shown = as_json(bench.runtime)
    assert shown["tls"] == {"enable": True, "cert": "", "key": ""}
    assert shown["routing"] == {}
    quota = shown["quota-exceeded"]
    assert isinstance(quota, dict)
    assert (quota["x"], quota["switch-project"]) == (1, False)
