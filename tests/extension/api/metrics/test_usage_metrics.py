"""Usage in the metrics: totals, and the state of the collector."""

import re
from decimal import Decimal

import pytest

from tests.extension.api.metrics.test_monitoring import samples
from tests.extension.api.usage.test_costs import GPT_5, spending
from tests.extension.api.usage.test_usage import BASE, spent
from tests.extension.running_service import OWN, Running
from tests.repository.tracked import ROOT


async def test_the_metrics_hold_totals_gaps_and_the_lag_of_the_collector(service: Running) -> None:
    headers = await spending(service)
    series = samples((await service.get(f"{OWN}/info/metrics", headers=headers)).text)

    assert series["poolkeeper_usage_requests_total", (("outcome", "success"),)] == 4
    assert series["poolkeeper_usage_requests_total", (("outcome", "failure"),)] == 1
    assert series["poolkeeper_usage_tokens_total", (("kind", "input"),)] == 48
    assert Decimal(str(series["poolkeeper_usage_cost_usd", ()])) == 3 * GPT_5
    assert Decimal(str(series["poolkeeper_usage_model_cost_usd", (("model", "gpt-5"),)])) == 3 * GPT_5
    clients = [cost for (name, _), cost in series.items() if name == "poolkeeper_usage_client_cost_usd"]
    assert Decimal(str(sum(clients))) == 3 * GPT_5
    assert series["poolkeeper_usage_unpriced_requests", ()] == 1
    assert series["poolkeeper_usage_gaps_total", ()] == 0
    assert series["poolkeeper_usage_collector_source", (("source", "subscription"),)] == 1
    assert 0 <= series["poolkeeper_usage_collector_lag_seconds", ()] < 60


async def test_a_gap_and_an_unreadable_record_are_counted(service: Running) -> None:
    headers = await spending(service)
    spent(service, timestamp="never")
    service.gateway.usage.disconnect()
    spent(service, request_id="77")
    for _ in range(400):
        if len((await service.get(f"{BASE}/stream", headers=headers)).json["events"]) == 6:
            break
    series = samples((await service.get(f"{OWN}/info/metrics", headers=headers)).text)

    assert series["poolkeeper_usage_gaps_total", ()] == 1
    assert series["poolkeeper_usage_unreadable_records_total", ()] == pytest.approx(1)


@pytest.mark.parametrize("file", ["alerts.yaml", "grafana.json"])
async def test_dashboard_and_alerts_ask_for_metrics_that_exist(service: Running, file: str) -> None:
    headers = await spending(service)
    await service.finished_run(headers)
    exposed = {name for name, _ in samples((await service.get(f"{OWN}/info/metrics", headers=headers)).text)}
    queried = set(re.findall(r"poolkeeper_[a-z_]+", (ROOT / "deploy" / file).read_text("utf-8")))

    assert queried - {"poolkeeper_quota_remaining_ratio", "poolkeeper_actions_total"} <= exposed
