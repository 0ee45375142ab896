from tests.extension.running_service import OWN, Running

KEYS = {"accountSource": "api_key", "retries": 0}


async def test_the_cost_of_a_run_is_told_before_it_starts_and_nothing_is_sent(service: Running) -> None:
    headers = await service.log_in()

    reply = await service.post(f"{OWN}/inspections/cost", json=KEYS, headers=headers)
    free = await service.post(f"{OWN}/inspections/cost", json={"accountSource": "oauth"}, headers=headers)

    assert reply.status == 200
    assert set(reply.json) == {
        "accounts",
        "probed",
        "requests",
        "tokens",
        "sampled",
        "skipped",
        "controls",
        "scheduledControls",
    }
    assert reply.json["requests"] >= reply.json["probed"] > 0
    assert reply.json["tokens"] > 0
    assert free.json["tokens"] == 0
    assert service.gateway.calls == []
    assert (await service.get(f"{OWN}/inspections")).json["runs"] == []


async def test_an_account_marked_as_never_to_be_probed_costs_nothing(service: Running) -> None:
    headers = await service.log_in()
    before = (await service.post(f"{OWN}/inspections/cost", json=KEYS, headers=headers)).json
    accounts = (await service.get(f"{OWN}/pool?source=api_key")).json["accounts"]
    flags = {"accounts": [row["id"] for row in accounts], "neverProbe": True}
    assert (await service.post(f"{OWN}/pool/flags", json=flags, headers=headers)).status == 204

    after = (await service.post(f"{OWN}/inspections/cost", json=KEYS, headers=headers)).json

    assert after == {**before, "probed": 0, "requests": 0, "tokens": 0, "controls": 0, "scheduledControls": 0}


async def test_a_setting_that_cannot_be_used_is_named(service: Running) -> None:
    headers = await service.log_in()

    refused = await service.post(f"{OWN}/inspections/cost", json={"workers": 0}, headers=headers)

    assert (refused.status, refused.json["code"]) == (400, "bad_setting")
