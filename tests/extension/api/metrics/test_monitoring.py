"""Metrics and health over real HTTP."""

from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from adapter.port.errors import Banned, Unavailable
from extension.api.metrics.exposition import MOST_SERIES, exposed
from extension.engine.measurements import Measurements
from tests.extension.running_service import BAD_KEY, GOOD_KEY, KEY, OWN, Running, running

KEYED = {"X-Management-Key": KEY}
TOKEN = "token-of-the-monitoring"


def samples(text: str) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """Every sample by name and labels."""
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def test_the_metrics_count_the_pool_its_runs_and_its_actions(service: Running) -> None:
    await service.finished_run(KEYED)
    account = (await service.get(f"{OWN}/pool?source=api_key", headers=KEYED)).json["accounts"][0]["id"]
    body = {"accounts": [account], "disabled": True}
    assert (await service.post(f"{OWN}/pool/status", json=body, headers=KEYED)).status == 200
    answer = await service.get(f"{OWN}/info/metrics", headers=KEYED)
    assert (answer.status, answer.headers["Content-Type"]) == (200, "text/plain; version=0.0.4; charset=utf-8")
    series = samples(answer.text)
    credentials = {labels: value for (name, labels), value in series.items() if name == "poolkeeper_credentials"}
    assert sum(credentials.values()) == 3
    assert sum(value for labels, value in credentials.items() if ("state", "disabled") in labels) == 1
    done = (("action", "disable"), ("actor", "person"), ("outcome", "applied"))
    assert series["poolkeeper_actions_total", done] == 1
    assert series["poolkeeper_on_hold", ()] == 0
    assert series["poolkeeper_run_active", ()] == 0
    assert series["poolkeeper_run_last_state", (("state", "finished"),)] == 1
    assert series["poolkeeper_gateway_up", ()] == 1
    assert (await service.get("/metrics", headers=KEYED)).text == answer.text
    assert not {secret for secret in (GOOD_KEY, BAD_KEY, KEY) if secret in answer.text}


@pytest.mark.parametrize("path", ["/metrics", f"{OWN}/info/metrics"])
async def test_metrics_need_the_key_or_their_own_token(tmp_path: Path, path: str) -> None:
    async with running(tmp_path, POOLKEEPER_METRICS_TOKEN=TOKEN) as service:
        assert (await service.get(path)).status == 401
        assert (await service.get(path, headers={"Authorization": "Bearer another-token-here"})).status == 401
        assert (await service.get(path, headers={"Authorization": f"Bearer {TOKEN}"})).status == 200
        assert (await service.get(path, headers=KEYED)).status == 200
        # The token opens nothing else, and is shown nowhere.
        assert (await service.get(f"{OWN}/config", headers={"Authorization": f"Bearer {TOKEN}"})).status == 401
        config = await service.get(f"{OWN}/config", headers=KEYED)
        assert (config.json["settings"]["metricsToken"], TOKEN in config.text) == ("set", False)


async def test_without_a_token_of_the_settings_an_empty_one_opens_nothing(service: Running) -> None:
    assert (await service.get("/metrics", headers={"Authorization": "Bearer "})).status == 401
    assert (await service.post("/metrics", headers=KEYED)).status == 405


async def test_a_gateway_that_does_not_answer_leaves_out_its_numbers_alone(service: Running) -> None:
    service.gateway.fail("accounts", Unavailable("Away."))
    series = samples((await service.get("/metrics", headers=KEYED)).text)
    assert series["poolkeeper_gateway_up", ()] == 0
    assert "poolkeeper_credentials" not in {name for name, _ in series}
    assert ("poolkeeper_on_hold", ()) in series


@pytest.mark.parametrize("path", ["/livez", "/readyz"])
async def test_health_is_answered_without_a_key(service: Running, path: str) -> None:
    answer = await service.get(path)
    assert (answer.status, answer.json) == (200, {"status": "ok"})


async def test_a_ban_of_the_service_is_visible_with_its_end(service: Running) -> None:
    until = service.gateway.clock.now_ms() + 90_000
    service.gateway.refused = Banned("The gateway has banned this address.", until=until)
    ready, info = await service.get("/readyz"), await service.get(f"{OWN}/info", headers=KEYED)
    assert (ready.status, ready.json) == (503, {"status": "unavailable"})
    assert int(ready.headers["Retry-After"]) >= 0
    assert (info.json["gateway"]["refusal"], info.json["gateway"]["refusedUntil"]) == ("gateway_banned", until)
    service.gateway.refused = None
    assert (await service.get("/readyz")).status == 200


async def test_the_description_of_the_interface_is_served(service: Running) -> None:
    assert (await service.get(f"{OWN}/info/openapi")).status == 401
    described = (await service.get(f"{OWN}/info/openapi", headers=KEYED)).json
    assert described["paths"]["/v0/management/model-prices"]["put"]
    assert described["openapi"].startswith("3.")


def test_a_metric_with_too_many_labels_is_cut_and_says_so() -> None:
    quotas = {(f"index-{number:05}", "5h"): 0.5 for number in range(MOST_SERIES + 7)}
    text = exposed(Measurements({}, quotas, {}, 0, None, None), "1").decode()
    series = samples(text)
    assert sum(name == "poolkeeper_quota_remaining_ratio" for name, _ in series) == MOST_SERIES
    assert series["poolkeeper_omitted_series", (("metric", "poolkeeper_quota_remaining_ratio"),)] == 7
