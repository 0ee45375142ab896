"""The overview over real HTTP: each of its numbers is one that other answers give."""

import json
from pathlib import Path
from typing import Any

from adapter.fake import FakeGateway, reply
from extension.api.payloads.overview import OverviewAnswer
from tests.extension.api.test_resources import provider
from tests.extension.running_service import CONFIG, KEY, OWN, Running, running

OVERVIEW = f"{OWN}/pool/overview"


async def read(service: Running, query: str = "") -> Any:
    answer = await service.get(f"{OVERVIEW}?{query}")
    assert answer.status == 200, answer.text
    OverviewAnswer.model_validate_json(answer.text)
    return answer.json


async def matching(service: Running, query: str) -> int:
    overview_answer: int = (await service.get(f"{OWN}/pool?view=slim&{query}")).json["matching"]
    return overview_answer


async def test_a_pool_that_was_never_checked_is_blind_and_nothing_else(service: Running) -> None:
    await service.log_in()

    overview_answer = await read(service)

    assert overview_answer["statuses"] == {"oauth": {"": 1}, "api_key": {"": 2}}
    assert (
        overview_answer["blind"]["neverChecked"],
        overview_answer["blind"]["old"],
        overview_answer["blind"]["schedules"],
    ) == (3, 0, 0)
    assert (overview_answer["runs"], overview_answer["automatic"], overview_answer["attention"]["onHold"]) == (
        [],
        [],
        0,
    )


async def test_each_number_is_that_of_the_filtered_list(service: Running) -> None:
    service.gateway.upstream = provider
    headers = await service.log_in()
    run = await service.finished_run(headers)

    overview_answer = await read(service)

    assert sum(overview_answer["statuses"]["api_key"].values()) == await matching(service, "source=api_key")
    for source, statuses in overview_answer["statuses"].items():
        for status, count in statuses.items():
            assert count == await matching(service, f"source={source}&verdict={status}"), status
    for host in overview_answer["hosts"]:
        query = f"source={host['source']}&host={host['host']}"
        assert host["total"] == await matching(service, query)
        for status, count in host["statuses"].items():
            assert count == await matching(service, f"{query}&verdict={status}")
    assert overview_answer["attention"]["onHold"] == await matching(service, "source=api_key&onHold=true")
    for source, counted in overview_answer["findings"].items():
        assert counted["onHold"] == await matching(service, f"source={source}&onHold=true")
        open_ones = f"source={source}&action=disable&state=enabled"
        assert counted["toDisable"] == await matching(service, open_ones)
        assert counted["neverChecked"] == await matching(service, f"source={source}&verdict=")
    unchecked = [await matching(service, f"source={source}&verdict=") for source in ("oauth", "api_key")]
    assert overview_answer["blind"]["neverChecked"] == sum(unchecked)
    (last,) = overview_answer["runs"]
    (same,) = (await service.get(f"{OWN}/inspections?run={run}")).json["runs"]
    assert (last["run"], last["done"], last["statuses"]) == (run, same["done"], same["verdicts"])


async def test_the_actions_of_automation_are_those_of_the_history(service: Running) -> None:
    service.gateway.upstream = provider
    headers = await service.log_in()
    before = (await read(service))["readAt"]
    await service.finished_run(headers, autoActionMode="disable", brake=False)

    overview_answer = await read(service, f"since={before}")

    actions = (await service.get(f"{OWN}/pool/actions")).json["actions"]
    by_automation = [row for row in actions if row["actorKind"] == "automation"]
    assert by_automation
    assert sum(row["count"] for row in overview_answer["automatic"]) == len(by_automation)
    assert overview_answer["since"] == before
    later = max(row["at"] for row in by_automation) + 1
    assert (await read(service, f"since={later}"))["automatic"] == []


async def test_a_quota_about_to_end_is_named_with_its_reset(tmp_path: Path) -> None:
    usage = {"five_hour": {"utilization": 85, "resets_at": "2030-01-01T05:00:00Z"}, "seven_day": {"utilization": 3}}
    files = {"anna.json": {"type": "claude", "access_token": "oauth-token-of-anna-0123456789"}}
    gateway = FakeGateway(CONFIG, files, management_key=KEY)
    gateway.upstream = lambda _: reply(200, json.dumps(usage))
    async with running(tmp_path, gateway) as service:
        await service.finished_run(await service.log_in(), accountSource="oauth")
        attention = (await read(service))["attention"]

    assert attention["endingCount"] == 1
    (ending,) = attention["ending"]
    assert (ending["account"]["fileName"], ending["used"]) == ("anna.json", 85)
    assert ending["resetsAt"] == 1_893_474_000_000


async def test_a_time_of_another_form_is_refused(service: Running) -> None:
    await service.log_in()
    assert (await service.get(f"{OVERVIEW}?since=yesterday")).status == 400
