"""The history of runs over real HTTP: differences and exports."""

import csv
import io
import json
from pathlib import Path

import pytest

from adapter.fake import FakeGateway, reply
from extension.api.export import _cell
from tests.extension.api.test_resources import provider
from tests.extension.running_service import BAD_KEY, CONFIG, GOOD_KEY, KEY, OWN, Running, running


async def test_the_difference_names_what_changed_since_the_previous_run(service: Running) -> None:
    headers = await service.log_in()
    first = await service.finished_run(headers)
    alone = (await service.get(f"{OWN}/inspections/difference?run={first}")).json
    assert alone == {"run": first, "against": None, "covered": 0, "changes": []}

    service.gateway.upstream = lambda _: reply(401)
    second = await service.finished_run(headers)
    answer = (await service.get(f"{OWN}/inspections/difference?run={second}")).json
    assert (answer["run"], answer["against"]) == (second, first)
    assert {change["after"]["verdict"] for change in answer["changes"]} == {"invalid_key"}
    assert len(answer["changes"]) == 2
    for change in answer["changes"]:
        codes = [reason["code"] for reason in change["after"]["reasons"]]
        assert codes, change
        assert change["after"]["reason"], change

    third = await service.finished_run(headers)
    assert (await service.get(f"{OWN}/inspections/difference?run={third}")).json["changes"] == []
    named = (await service.get(f"{OWN}/inspections/difference?run={third}&against={first}")).json
    assert len(named["changes"]) == 2

    sampled = await service.finished_run(headers, sampleSize=1)
    answer = (await service.get(f"{OWN}/inspections/difference?run={sampled}")).json
    assert (answer["against"], answer["covered"], answer["changes"]) == (third, 1, [])


async def test_a_run_is_exported_as_csv_and_as_json_lines_without_any_key(service: Running) -> None:
    service.gateway.upstream = provider
    headers = await service.log_in()
    run = await service.finished_run(headers)

    table = await service.get(f"{OWN}/inspections/export?run={run}")
    lines = await service.get(f"{OWN}/inspections/export?run={run}&format=jsonl")

    assert table.headers["content-type"].startswith("text/csv")
    assert f'filename="inspection-{run}.csv"' in table.headers["content-disposition"]
    rows = list(csv.DictReader(io.StringIO(table.text)))
    objects = [json.loads(line) for line in lines.text.splitlines()]
    assert [row["verdict"] for row in rows] == [line["verdict"] for line in objects]
    assert {row["verdict"] for row in rows} == {"healthy", "invalid_key"}
    assert objects[0]["attempts"]
    for key in (GOOD_KEY, BAD_KEY):
        assert key not in table.text + lines.text


async def test_the_windows_of_a_quota_are_answered_and_written_out(tmp_path: Path) -> None:
    usage = '{"five_hour":{"utilization":100,"resets_at":"2030-01-01T05:00:00Z"},"seven_day":{"utilization":3.25}}'
    weekly = {"name": "weekly", "pool": "", "used": 3.25, "threshold": 100, "seconds": 604_800, "resetsAt": None}
    files = {"anna.json": {"type": "claude", "access_token": "oauth-token-of-anna-0123456789"}}
    gateway = FakeGateway(CONFIG, files, management_key=KEY)
    gateway.upstream = lambda _: reply(200, usage)
    async with running(tmp_path, gateway) as service:
        run = await service.finished_run(await service.log_in(), accountSource="oauth")
        (answered,) = (await service.get(f"{OWN}/inspections/results?run={run}")).json["results"]
        table = await service.get(f"{OWN}/inspections/export?run={run}")
        line = await service.get(f"{OWN}/inspections/export?run={run}&format=jsonl")

    assert answered["windows"][1] == weekly
    assert answered["resetsAt"] == answered["windows"][0]["resetsAt"] == 1_893_474_000_000
    assert json.loads(line.text) == answered
    (row,) = csv.DictReader(io.StringIO(table.text))
    words = "5 h: 100 % used of 100 %, resets 2030-01-01 05:00 UTC; weekly: 3.25 % used of 100 %"
    assert (row["windows"], row["resetsAt"]) == (words, "1893474000000")


async def test_a_run_that_does_not_exist_is_404_not_an_empty_file(service: Running) -> None:
    await service.log_in()
    assert (await service.get(f"{OWN}/inspections/export?run=99")).status == 404


@pytest.mark.parametrize(
    ("value", "shown"),
    [([], ""), ("=1+1", "'=1+1"), ("@sum", "'@sum"), ("plain", "plain"), (None, ""), (True, "true"), (-3, "-3")],
)
def test_a_cell_never_steers_a_spreadsheet(value: object, shown: str) -> None:
    assert _cell(value) == shown
