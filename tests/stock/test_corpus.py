"""The whole corpus through a stock gateway, with the table per provider."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.corpus.scenario import HELD_OUT, LATER, OPEN, scenarios
from tests.corpus.through_gateway import CorpusProxy, configuration, fitting, measured
from tests.stock.gateway import stock_gateway
from tests.stock.table import FIGURE


async def test_the_corpus_through_a_stock_gateway(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    chosen = fitting([*scenarios(OPEN), *scenarios(HELD_OUT), *scenarios(LATER)])
    proxy = CorpusProxy(chosen)
    folder = tmp_path / "gateway"
    folder.mkdir()
    try:
        async with stock_gateway(folder, configuration(chosen, await proxy.start()), {}) as stock:
            figures = await measured(stock.connection.gateway, tmp_path / "data", chosen)
    finally:
        await proxy.stop()
    record_property(FIGURE, f"corpus of {len(chosen)} scenarios\n{figures.table()}")
    print(figures.table(), *figures.differences(), sep="\n")  # noqa: T201 - the table is the result of the measurement
    assert proxy.unrecorded == []
    assert [outcome.scenario.id for outcome in figures.wrong_disables] == []
    assert [outcome.scenario.id for outcome in figures.false_healthy] == []
    assert len(figures.missed) / figures.bad_keys <= 0.05
    assert len(figures.inconclusive) / len(figures.outcomes) <= 0.05
