"""Measurements in the text format of Prometheus."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from extension.engine.measurements import Measurements
from extension.engine.usage.collector_status import CollectorSource
from extension.engine.usage.service import UsageTotals
from extension.store.records import RunRecord

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
MOST_SERIES: Final = 2_000
"""Most series of one metric; label values come from the pool, and a large one would overload the monitoring."""
_LONGEST: Final = 100


def exposed(measurements: Measurements, version: str, usage: UsageTotals | None = None) -> bytes:
    """Write measurements in the text format."""
    registry = CollectorRegistry()
    registry.register(_Measured(measurements, version, usage))
    return generate_latest(registry)


class _Measured(Collector):
    """Metrics of one moment."""

    def __init__(self, measurements: Measurements, version: str, usage: UsageTotals | None) -> None:
        self._measurements = measurements
        self._usage = usage
        self._version = version

    def describe(self) -> Iterable[Metric]:
        """Describe nothing ahead, so that registering collects nothing."""
        return ()

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics."""
        measured, omitted = self._measurements, dict[str, int]()
        yield info(self._version)
        answered = measured.credentials is not None
        yield _gauge("poolkeeper_gateway_up", "Whether the gateway answered this scrape.", float(answered))
        yield labeled(
            "poolkeeper_credentials",
            "Accounts of the pool by family, status of the last check, and state.",
            ("family", "status", "state"),
            measured.credentials or {},
            omitted,
        )
        yield labeled(
            "poolkeeper_quota_remaining_ratio",
            "Remaining share of a quota window at the last check.",
            ("auth_index", "window"),
            measured.quotas or {},
            omitted,
        )
        yield _gauge("poolkeeper_on_hold", "Changes that the circuit breaker holds.", float(measured.on_hold))
        actions = CounterMetricFamily(
            "poolkeeper_actions", "Actions on accounts.", labels=["action", "actor", "outcome"]
        )
        for labels, count in sorted(measured.actions.items()):
            actions.add_metric([value[:_LONGEST] for value in labels], count)
        yield actions
        yield from _runs(measured.active_run, measured.last_run)
        if self._usage is not None:
            yield from usage_metrics(self._usage)
        yield omitted_series(omitted)


def info(version: str) -> Metric:
    """Return the metric that names the version."""
    metric = GaugeMetricFamily("poolkeeper_info", "Version of the service.", labels=["version"])
    metric.add_metric([version], 1)
    return metric


def omitted_series(omitted: Mapping[str, int]) -> Metric:
    """Return the metric that counts what was left out."""
    text = "Series left out because a metric has too many."
    metric = GaugeMetricFamily("poolkeeper_omitted_series", text, labels=["metric"])
    for name, count in omitted.items():
        metric.add_metric([name], count)
    return metric


def _runs(active: RunRecord | None, last: RunRecord | None) -> Iterator[Metric]:
    yield _gauge("poolkeeper_run_active", "Whether a run is under way.", float(active is not None))
    if active is not None:
        yield _gauge("poolkeeper_run_accounts", "Accounts of the active run.", active.total)
        yield _gauge("poolkeeper_run_accounts_done", "Accounts that the active run has checked.", active.done)
        yield _gauge("poolkeeper_run_started_timestamp_seconds", "Start of the active run.", active.started_at / 1000)
    if last is not None and last.finished_at is not None:
        yield _gauge("poolkeeper_run_last_end_timestamp_seconds", "End of the last run.", last.finished_at / 1000)
        duration = (last.finished_at - last.started_at) / 1000
        yield _gauge("poolkeeper_run_last_duration_seconds", "Duration of the last run.", duration)
        states = GaugeMetricFamily("poolkeeper_run_last_state", "State of the last run.", labels=["state"])
        states.add_metric([str(last.state)], 1)
        yield states
        results = GaugeMetricFamily("poolkeeper_run_last_results", "Results of the last run.", labels=["status"])
        for status, count in sorted(last.verdicts.items()):
            results.add_metric([status], count)
        yield results


def _gauge(name: str, text: str, value: float) -> Metric:
    return GaugeMetricFamily(name, text, value=value)


def labeled(
    name: str, text: str, labels: tuple[str, ...], values: Mapping[Any, float], omitted: dict[str, int]
) -> Metric:
    """Return a metric with labels; series beyond the most are counted in `omitted`."""
    metric = GaugeMetricFamily(name, text, labels=labels)
    ordered = sorted(values.items())
    for label_values, value in ordered[:MOST_SERIES]:
        metric.add_metric([label[:_LONGEST] for label in label_values], value)
    if len(ordered) > MOST_SERIES:
        omitted[name] = len(ordered) - MOST_SERIES
    return metric


_PICO: Final = 10**12


def usage_metrics(usage: UsageTotals) -> Iterator[Metric]:
    """Yield the metrics; their labels have fixed values, or come from a limited number of names."""
    figures, status = usage.figures, usage.collector
    outcomes = {"success": figures.requests - figures.failed, "failure": figures.failed}
    yield _counted("requests", "Requests at upstreams.", "outcome", outcomes)
    yield _counted("tokens", "Tokens by kind; the kinds exclude each other.", "kind", figures.tokens)
    # A gauge: rating again may lower it.
    yield _gauge("poolkeeper_usage_cost_usd", "Known cost of all requests in US dollars.", figures.pico_usd / _PICO)
    for label, parts in (("model", usage.models), ("client", usage.clients)):
        text = f"Known cost of requests in US dollars by {label}; those beyond the costliest are one."
        costs = GaugeMetricFamily(f"poolkeeper_usage_{label}_cost_usd", text, labels=[label])
        for name, part in parts.items():
            costs.add_metric([name[:_LONGEST]], part.pico_usd / _PICO)
        yield costs
    unpriced = figures.requests - figures.priced
    yield _gauge("poolkeeper_usage_unpriced_requests", "Requests without a known cost.", unpriced)
    for name, text, count in (
        ("gaps", "Times in which records may be missing.", usage.gaps),
        ("unreadable_records", "Records since the start that were no events.", status.unreadable),
        ("duplicate_records", "Records since the start that were stored before.", status.duplicates),
    ):
        yield CounterMetricFamily(f"poolkeeper_usage_{name}", text, value=count)
    source = GaugeMetricFamily("poolkeeper_usage_collector_source", "Source of records in use.", labels=["source"])
    for known_source in CollectorSource:
        source.add_metric([known_source.value], float(known_source is status.source))
    yield source
    if usage.lag_seconds is not None:
        text = "Time up to now for which records are not complete."
        yield _gauge("poolkeeper_usage_collector_lag_seconds", text, usage.lag_seconds)


def _counted(name: str, text: str, label: str, counts: Mapping[str, int]) -> Metric:
    metric = CounterMetricFamily(f"poolkeeper_usage_{name}", text, labels=[label])
    for value, count in counts.items():
        metric.add_metric([value], count)
    return metric
