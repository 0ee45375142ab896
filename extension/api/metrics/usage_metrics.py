"""Metrics of usage: totals, the collector's lag, gaps and unreadable records."""

from collections.abc import Iterator
from typing import Final

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from extension.engine.usage.collector_status import CollectorSource
from extension.engine.usage.usage_totals import UsageTotals

_PICO: Final = 10**12


def usage_metrics(found: UsageTotals) -> Iterator[Metric]:
    """Yield the metrics; their labels have fixed values."""
    figures, status = found.figures, found.collector
    requests = CounterMetricFamily("poolkeeper_usage_requests", "Requests at upstreams.", labels=["outcome"])
    requests.add_metric(["success"], figures.requests - figures.failed)
    requests.add_metric(["failure"], figures.failed)
    yield requests
    tokens = CounterMetricFamily(
        "poolkeeper_usage_tokens", "Tokens by kind; the kinds exclude each other.", labels=["kind"]
    )
    for name, count in figures.tokens.items():
        tokens.add_metric([name], count)
    yield tokens
    # A gauge: rating again may lower it.
    yield GaugeMetricFamily(
        "poolkeeper_usage_cost_usd", "Known cost of all requests in US dollars.", value=figures.pico_usd / _PICO
    )
    yield GaugeMetricFamily(
        "poolkeeper_usage_unpriced_requests", "Requests without a known cost.", value=figures.requests - figures.priced
    )
    yield CounterMetricFamily("poolkeeper_usage_gaps", "Times in which records may be missing.", value=found.gaps)
    yield CounterMetricFamily(
        "poolkeeper_usage_unreadable_records", "Records since the start that were no events.", value=status.unreadable
    )
    yield CounterMetricFamily(
        "poolkeeper_usage_duplicate_records",
        "Records since the start that were stored before.",
        value=status.duplicates,
    )
    source = GaugeMetricFamily("poolkeeper_usage_collector_source", "Source of records in use.", labels=["source"])
    for each in CollectorSource:
        source.add_metric([each.value], float(each is status.source))
    yield source
    if found.lag_seconds is not None:
        yield GaugeMetricFamily(
            "poolkeeper_usage_collector_lag_seconds",
            "Time up to now for which records are not complete.",
            value=found.lag_seconds,
        )
