"""Figures of a fleet in the text format of Prometheus, each with the gateway as label."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from extension.api.metrics.exposition import info, labeled, omitted_series
from extension.store.fleet.figures import NewestRun, PoolFigures
from extension.store.fleet.gateways import GatewayRecord
from extension.store.run_state import ACTIVE


def exposed_fleet(
    rows: Sequence[GatewayRecord],
    figures: Mapping[int, PoolFigures],
    runs: Mapping[int, NewestRun],
    workers: int,
    version: str,
) -> bytes:
    """Write the figures of the enabled gateways in the text format."""
    registry = CollectorRegistry()
    registry.register(_Fleet([row for row in rows if row.enabled], figures, runs, workers, version))
    return generate_latest(registry)


class _Fleet(Collector):
    def __init__(
        self,
        rows: Sequence[GatewayRecord],
        figures: Mapping[int, PoolFigures],
        runs: Mapping[int, NewestRun],
        workers: int,
        version: str,
    ) -> None:
        self._rows = rows
        self._figures = figures
        self._runs = runs
        self._workers = workers
        self._version = version

    def describe(self) -> Iterable[Metric]:
        """Describe nothing ahead, so that registering collects nothing."""
        return ()

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics."""
        omitted: dict[str, int] = {}
        yield info(self._version)
        yield GaugeMetricFamily("poolkeeper_workers", "Workers that live.", value=self._workers)
        known = {row.name: self._figures[row.pool_id] for row in self._rows if row.pool_id in self._figures}
        statuses = {(name, status): count for name, pool in known.items() for status, count in pool.verdicts.items()}
        text = "Accounts by status of the last check."
        yield labeled("poolkeeper_pool_checked", text, ("gateway", "status"), statuses, omitted)
        active = {row.name: row.pool_id in self._runs and self._runs[row.pool_id].state in ACTIVE for row in self._rows}
        for name, text, values in (
            ("accounts", "Accounts of the gateway.", {name: pool.accounts for name, pool in known.items()}),
            ("enabled", "Enabled accounts of the gateway.", {name: pool.enabled for name, pool in known.items()}),
            ("on_hold", "Changes on hold.", {name: pool.on_hold for name, pool in known.items()}),
            ("run_active", "Whether a run is under way.", active),
            ("key_refused", "Whether the gateway refused its key.", {row.name: row.key_refused for row in self._rows}),
            ("figures_timestamp_seconds", "Time of the figures.", {name: p.at / 1000 for name, p in known.items()}),
        ):
            by_gateway = {(gateway,): float(value) for gateway, value in values.items()}
            yield labeled(f"poolkeeper_pool_{name}", text, ("gateway",), by_gateway, omitted)
        yield omitted_series(omitted)
