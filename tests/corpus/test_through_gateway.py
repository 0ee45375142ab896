"""A part of the corpus through our own gateway, with the table per provider; the whole goes through a stock one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import yaml
from gateway.internal.management.application import build_application
from gateway.internal.runtime import Runtime

from adapter.embedded import EmbeddedConnection
from tests.corpus.scenario import HELD_OUT, LATER, OPEN, scenarios
from tests.corpus.through_gateway import CorpusProxy, configuration, fitting, measured

PART = int(os.environ.get("POOLKEEPER_CORPUS_PART", "4"))
"""One scenario of so many is asked."""

pytestmark = pytest.mark.slow


async def test_the_corpus_through_our_gateway_gives_the_same_verdicts(tmp_path: Path) -> None:
    chosen = fitting([*scenarios(OPEN), *scenarios(HELD_OUT), *scenarios(LATER)])[::PART]
    proxy = CorpusProxy(chosen)
    (tmp_path / "auths").mkdir()
    config = {"auth-dir": str(tmp_path / "auths"), **configuration(chosen, await proxy.start())}
    (tmp_path / "config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    runtime = Runtime(tmp_path / "config.yaml", environment={"MANAGEMENT_PASSWORD": "of this test"}, watch=False)
    connection = EmbeddedConnection(runtime, build_application(runtime))
    connection.bind(bytes(range(32)))
    await runtime.start()
    try:
        figures = await measured(connection.gateway, tmp_path / "data", chosen)
    finally:
        await connection.close()
        await runtime.stop()
        await proxy.stop()
    print(figures.table(), *figures.differences(), sep="\n")  # noqa: T201 - the table is the result of the measurement
    assert proxy.unrecorded == []
    assert [outcome.scenario.id for outcome in figures.wrong_disables] == []
    assert [outcome.scenario.id for outcome in figures.false_healthy] == []
    assert len(figures.missed) / figures.bad_keys <= 0.05
    assert len(figures.inconclusive) / len(figures.outcomes) <= 0.05
