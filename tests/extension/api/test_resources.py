"""What each resource answers, over a pool with a good key, a bad key and an OAuth file."""

from typing import Any

import pytest

from adapter.fake import UpstreamRequest, reply
from adapter.fake.upstream import Reply
from tests.extension.running_service import BAD_KEY, FILES, GOOD_KEY, KEY, OWN, Running

POOL = f"{OWN}/pool?source=api_key"


def provider(request: UpstreamRequest) -> Reply:
    """Refuse the bad key, and quote it as badly kept providers do."""
    if BAD_KEY in request.header.values():
        return reply(401, f'{{"error": "invalid key {BAD_KEY}"}}')
    return reply() if GOOD_KEY in str(request.header) else reply(401)


async def accounts(service: Running, path: str = POOL) -> dict[str, dict[str, Any]]:
    return {account["family"] or account["fileName"]: account for account in (await service.get(path)).json["accounts"]}


async def test_info_tells_names_versions_and_the_vocabulary(service: Running) -> None:
    await service.log_in()

    info = (await service.get(f"{OWN}/info")).json

    assert info.keys() == {"name", "version", "prefix", "page", "fleet", "gateway", "families", "verdicts"}
    assert info["fleet"] is False
    assert info["name"] == info["prefix"] == "poolkeeper"
    assert info["gateway"]["name"] == "fake"
    assert "set-disabled" in info["gateway"]["capabilities"]
    assert [family["token"] for family in info["families"]] == [
        "all", "compat", "vendor-a-apikey", "vendor-b-apikey", "vendor-c-apikey", "vendor-d-apikey"
    ]  # fmt: skip
    assert {"healthy", "inconclusive", "unknown"} < {verdict["token"] for verdict in info["verdicts"]}
    assert all(verdict["meaning"] for verdict in info["verdicts"])


async def test_config_tells_effective_settings_and_the_defaults_of_a_run(service: Running) -> None:
    await service.log_in()

    config = (await service.get(f"{OWN}/config")).json

    assert config["settings"] == {
        "dataDir": str(service.folder),
        "prefix": "poolkeeper",
        "logLevel": "info",
        "logFormat": "console",
        "gateway": None,
        "listen": "127.0.0.1:8318",
        "keepRuns": 200,
        "keepMegabytes": 1000,
        "sessionHours": 12.0,
        "secureCookies": False,
        "trustedProxies": "",
        "hosts": "",
        "keepUsageDays": 90,
        "keepUsageMegabytes": 2000,
        "readsPerSecond": 40,
        "vendorStandIn": "",
        "databaseUrl": "",
        "metricsToken": "",
        "fleetKeyFile": None,
        "groupRoles": "",
    }
    assert config["inspectionDefaults"]["accountSource"] == "oauth"
    assert config["inspectionDefaults"]["timeoutSeconds"] == 15


async def test_the_pool_has_a_capsule_and_an_account_for_each_key(service: Running) -> None:
    await service.log_in()

    pool = (await service.get(POOL)).json

    assert pool["statistics"] == {"total": 2, "enabled": 2, "disabled": 0}
    assert {account["family"] for account in pool["accounts"]} == {"compat", "vendor-b-apikey"}
    assert all(account["deletable"] is False for account in pool["accounts"])
    assert all(account["lastResult"] is None for account in pool["accounts"])


async def test_the_pool_is_filtered_by_source_family_and_text(service: Running) -> None:
    await service.log_in()

    assert list(await accounts(service, f"{OWN}/pool")) == list(FILES)
    assert list(await accounts(service, f"{POOL}&family=compat")) == ["compat"]
    assert list(await accounts(service, f"{POOL}&filter=GOOD")) == ["compat"]
    assert list(await accounts(service, f"{POOL}&filter=nowhere")) == []


async def test_a_run_is_started_listed_and_its_results_read_page_by_page(service: Running) -> None:
    service.gateway.upstream = provider
    headers = await service.log_in()

    run = await service.finished_run(headers)

    listed = (await service.get(f"{OWN}/inspections")).json["runs"]
    assert [row["id"] for row in listed] == [run]
    assert (listed[0]["state"], listed[0]["total"], listed[0]["done"]) == ("finished", 2, 2)
    assert listed[0]["verdicts"] == {"healthy": 1, "invalid_key": 1}
    assert listed[0]["recommendations"] == {"keep": 1, "enable": 0, "disable": 1, "delete": 0}
    assert listed[0]["startedBy"] == "page"
    first = (await service.get(f"{OWN}/inspections/results?run={run}&limit=1")).json
    rest = (await service.get(f"{OWN}/inspections/results?run={run}&after={first['next']}")).json
    end = (await service.get(f"{OWN}/inspections/results?run={run}&after={rest['next']}")).json
    results = {row["family"]: row for row in first["results"] + rest["results"]}
    assert (len(first["results"]), len(rest["results"]), end["results"]) == (1, 1, [])
    assert end["next"] == rest["next"]
    assert results["vendor-b-apikey"]["status"] == 401
    assert results["vendor-b-apikey"]["action"] == "disable"
    assert results["vendor-b-apikey"]["attempts"][0]["method"] == "POST"
    assert (await accounts(service))["vendor-b-apikey"]["lastResult"]["verdict"] == "invalid_key"


async def test_one_run_can_be_asked_for_by_its_number(service: Running) -> None:
    headers = await service.log_in()
    run = await service.finished_run(headers)

    assert (await service.get(f"{OWN}/inspections?run={run}")).json["runs"][0]["id"] == run
    assert (await service.get(f"{OWN}/inspections?run=99")).json["code"] == "run_unknown"
    assert (await service.get(f"{OWN}/inspections/results?run=99")).status == 404


async def test_stopping_a_run_that_has_ended_changes_nothing_and_resuming_it_is_refused(service: Running) -> None:
    headers = await service.log_in()
    run = await service.finished_run(headers)

    stopped = await service.post(f"{OWN}/inspections/stop?run={run}", headers=headers)
    resumed = await service.post(f"{OWN}/inspections/resume?run={run}", headers=headers)

    assert (stopped.status, stopped.json["run"]["state"]) == (200, "finished")
    assert (resumed.status, resumed.json["code"]) == (409, "run_state")


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"workers": 0}, "workers"),
        ({"speed": 5}, "speed"),
        ({"account_source": "api_key"}, "account_source"),
        ({"accountSource": "api_key", "autoActionMode": "delete"}, "autoActionMode"),
    ],
)
async def test_a_setting_that_is_unknown_or_wrong_is_named_and_nothing_starts(
    service: Running, settings: dict[str, Any], named: str
) -> None:
    headers = await service.log_in()

    refused = await service.post(f"{OWN}/inspections", json=settings, headers=headers)

    assert (refused.status, refused.json["code"]) == (400, "bad_setting")
    assert refused.json["error"].startswith(f"{named}:")
    assert named in refused.json["hint"]
    assert (await service.get(f"{OWN}/inspections")).json["runs"] == []


async def test_an_account_is_disabled_and_enabled_in_the_gateways_configuration(service: Running) -> None:
    headers = await service.log_in()
    number = (await accounts(service))["vendor-b-apikey"]["id"]
    change = {"accounts": [number], "disabled": True, "reason": "looks dead"}

    disabled = (await service.post(f"{OWN}/pool/status", json=change, headers=headers)).json["actions"]
    assert [(row["action"], row["outcome"], row["reason"], row["actor"]) for row in disabled] == [
        ("disable", "applied", "looks dead", "page")
    ]
    assert service.gateway.state.document["claude-api-key"][0]["excluded-models"] == ["*"]
    assert (await service.get(POOL)).json["statistics"]["disabled"] == 1

    enabled = await service.post(f"{OWN}/pool/status", json={**change, "disabled": False}, headers=headers)
    assert enabled.json["actions"][0]["outcome"] == "applied"
    assert not service.gateway.state.document["claude-api-key"][0].get("excluded-models")


async def test_deleting_is_refused_as_a_whole_when_a_key_is_among_what_is_named(service: Running) -> None:
    headers = await service.log_in()
    key = (await accounts(service))["compat"]["id"]
    file = (await accounts(service, f"{OWN}/pool"))["person.json"]["id"]

    refused = await service.post(f"{OWN}/pool/delete", json={"accounts": [file, key]}, headers=headers)

    assert (refused.status, refused.json["code"]) == (409, "delete_refused")
    assert service.gateway.state.files.keys() == FILES.keys()


async def test_an_oauth_file_is_deleted(service: Running) -> None:
    headers = await service.log_in()
    file = (await accounts(service, f"{OWN}/pool"))["person.json"]["id"]

    deleted = await service.post(f"{OWN}/pool/delete", json={"accounts": [file]}, headers=headers)

    assert deleted.json["actions"][0]["outcome"] == "applied"
    assert service.gateway.state.files == {}


@pytest.mark.parametrize(
    "body", [{}, {"accounts": []}, {"accounts": ["1"], "disabled": True}, {"accounts": [1], "disabled": 1}]
)
async def test_a_change_that_is_not_one_is_refused(service: Running, body: dict[str, Any]) -> None:
    headers = await service.log_in()

    assert (await service.post(f"{OWN}/pool/status", json=body, headers=headers)).json["code"] == "bad_request"


async def test_an_unknown_account_is_named(service: Running) -> None:
    headers = await service.log_in()

    refused = await service.post(f"{OWN}/pool/status", json={"accounts": [77], "disabled": True}, headers=headers)

    assert (refused.status, refused.json["code"]) == (404, "account_unknown")
    assert "77" in refused.json["error"]


async def test_what_is_done_with_the_key_itself_is_recorded_as_such(service: Running) -> None:
    headers = {"X-Management-Key": KEY}
    terminal = {**headers, "User-Agent": "poolkeeper-terminal"}

    first = await service.post(f"{OWN}/inspections", json={"accountSource": "api_key"}, headers=terminal)

    assert first.json["run"]["startedBy"] == "terminal"


async def test_no_answer_of_a_whole_run_holds_a_key(capsys: pytest.CaptureFixture[str], service: Running) -> None:
    service.gateway.upstream = provider
    headers = await service.log_in()
    run = await service.finished_run(headers)
    paths = (
        "info",
        "config",
        "pool?source=api_key",
        "inspections",
        f"inspections/results?run={run}",
        "inspections/events",
    )

    texts = [(await service.get(f"{OWN}/{path}")).text for path in paths]

    written = "".join(texts) + capsys.readouterr().err
    assert "invalid_key" in written
    for secret in (GOOD_KEY, BAD_KEY, KEY, headers["X-Poolkeeper-CSRF"], "somethingthatlooks"):
        assert secret not in written
