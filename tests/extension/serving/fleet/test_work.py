"""Work on many gateways, and what is known across them, from a console on PostgreSQL."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from extension.engine.operators.permission import Operator, Role
from tests.adapter.management.stand_in import claude
from tests.extension.serving.fleet.running_console import NAMES, ROOT, Console, console, issued, served

pytestmark = pytest.mark.timeout(120)

REFUSED = {
    "status_code": 401,
    "header": {"Content-Type": ["application/json"]},
    "body": '{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}',
}
METRICS_TOKEN = "a-token-of-the-monitoring"
BODY: dict[str, Any] = {"settings": {"accountSource": "api_key", "retries": 0, "evidenceChecks": False}}


async def refuse_calls(request: web.Request) -> web.StreamResponse | None:
    """Answer every call of a provider as one with a wrong key."""
    return web.json_response(REFUSED) if request.path.endswith("/api-call") else None


class Gate:
    """Lets one call of a provider through, and holds the others back until it opens."""

    def __init__(self) -> None:
        self.opened = asyncio.Event()
        self.calls = 0

    async def __call__(self, request: web.Request) -> web.StreamResponse | None:
        if request.path.endswith("/api-call"):
            self.calls += 1
            if self.calls > 1:
                await self.opened.wait()
        return None


async def finished(fleet: Console, run_id: int) -> Any:
    """Wait until a fleet run has ended, and return it."""
    answer = await fleet.until(f"fleet/runs?run={run_id}", lambda answer: answer["runs"][0]["state"] == "ended")
    return answer["runs"][0]


async def test_a_fleet_run_is_a_run_of_each_gateway_and_its_counts_are_sums(
    tmp_path: Path, postgresql_address: str
) -> None:
    async with console(tmp_path / "data", postgresql_address) as fleet:
        await fleet.add(0, 1, 2)
        status, answer = await fleet.ask("POST", "fleet/runs", BODY)
        assert status == 201, answer

        run = await finished(fleet, answer["run"]["id"])

        assert [(part["gateway"], part["state"], part["done"]) for part in run["parts"]] == [
            ("east", "finished", 1),
            ("west", "finished", 2),
            ("north", "finished", 3),
        ]
        assert (run["done"], run["total"], sum(run["verdicts"].values())) == (6, 6, 6)
        for name in NAMES:
            (ordinary,) = (await fleet.ask("GET", f"inspections?pool={name}"))[1]["runs"]
            assert ordinary["state"] == "finished"

        overview = await fleet.until("fleet/overview", lambda answer: sum(answer["verdicts"].values()) == 6)
        assert (overview["accounts"], overview["enabled"]) == (6, 6)
        async with fleet.browser.get(f"{fleet.address}/metrics", headers={"X-Management-Key": fleet.key}) as answer:
            text = await answer.text()
        assert 'poolkeeper_pool_accounts{gateway="north"} 3.0' in text
        assert 'poolkeeper_pool_checked{gateway="east",status=' in text
        async with fleet.browser.get(f"{fleet.address}/metrics") as stranger:
            assert stranger.status == 401
        assert [(row["gateway"], row["run"]["state"], bool(row["worker"])) for row in overview["gateways"]] == [
            (name, "finished", True) for name in sorted(NAMES)
        ]


async def test_labels_choose_the_gateways_and_a_refusal_stops_no_other(tmp_path: Path, postgresql_address: str) -> None:
    async with console(tmp_path / "data", postgresql_address, 2) as fleet:
        await fleet.add(0, 1)
        status, answer = await fleet.ask("POST", "fleet/runs", {**BODY, "labels": {"team": "south"}})
        assert (status, answer["code"]) == (409, "no_gateway_chosen")
        fleet.stand_ins[0].sections["claude-api-key"].clear()
        fleet.stand_ins[0].reload()

        run = await finished(fleet, (await fleet.ask("POST", "fleet/runs", BODY))[1]["run"]["id"])
        assert [(part["gateway"], part["state"], part["code"]) for part in run["parts"]] == [
            ("east", "refused", "nothing_to_inspect"),
            ("west", "finished", ""),
        ]
        chosen = (await fleet.ask("POST", "fleet/runs", {**BODY, "labels": {"team": "west"}}))[1]["run"]
        assert [part["gateway"] for part in chosen["parts"]] == ["west"]
        await finished(fleet, chosen["id"])
        status, answer = await fleet.ask("POST", "fleet/runs/stop?run=77")
        assert (status, answer["code"]) == (404, "fleet_run_unknown")


def states(answer: Any) -> list[tuple[str, int]]:
    return [(part["state"], part["done"]) for part in answer["runs"][0]["parts"]]


async def test_a_fleet_run_pauses_at_every_gateway_goes_on_and_stops(tmp_path: Path, postgresql_address: str) -> None:
    async with console(tmp_path / "data", postgresql_address) as fleet:
        await fleet.add(1, 2)
        gates = [Gate(), Gate()]
        for stand_in, gate in zip(fleet.stand_ins[1:], gates, strict=True):
            stand_in.before = gate
        slowly = {"settings": {**BODY["settings"], "workers": 1, "timeoutSeconds": 60}}
        run = (await fleet.ask("POST", "fleet/runs", slowly))[1]["run"]["id"]
        shown = f"fleet/runs?run={run}"
        await fleet.until(shown, lambda answer: states(answer) == [("running", 1), ("running", 1)])

        assert (await fleet.ask("POST", f"fleet/runs/pause?run={run}"))[0] == 200
        await fleet.until(shown, lambda answer: {state for state, _ in states(answer)} == {"paused"})
        assert (await fleet.ask("POST", f"fleet/runs/resume?run={run}"))[0] == 200
        await fleet.until(shown, lambda answer: {state for state, _ in states(answer)} == {"running"})
        gates[0].opened.set()
        await fleet.until(shown, lambda answer: states(answer)[0] == ("finished", 2))
        assert (await fleet.ask("POST", f"fleet/runs/stop?run={run}"))[0] == 200
        gates[1].opened.set()

        west, north = (await finished(fleet, run))["parts"]
        assert (west["state"], north["state"]) == ("finished", "stopped")


async def test_a_monitoring_system_reads_the_figures_of_all_gateways_with_its_token_alone(
    tmp_path: Path, postgresql_address: str
) -> None:
    async with console(tmp_path / "data", postgresql_address, 2, {"POOLKEEPER_METRICS_TOKEN": METRICS_TOKEN}) as fleet:
        await fleet.add(0, 1)
        for name in NAMES[:2]:
            await fleet.accounts(name)
        for token, status in ((METRICS_TOKEN, 200), ("another-token-of-20", 401)):
            headers = {"Authorization": f"Bearer {token}"}
            async with fleet.browser.get(f"{fleet.address}/metrics", headers=headers) as answer:
                assert (answer.status, 'gateway="west"' in await answer.text()) == (status, status == 200)
        with_token = {"Authorization": f"Bearer {METRICS_TOKEN}"}
        async with fleet.browser.get(f"{fleet.address}{ROOT}/fleet/overview", headers=with_token) as answer:
            assert answer.status == 401


async def test_recommendations_are_carried_out_by_the_owner_of_each_gateway(
    tmp_path: Path, postgresql_address: str
) -> None:
    async with console(tmp_path / "data", postgresql_address, 2) as fleet:
        await fleet.add(0, 1)
        for stand_in in fleet.stand_ins:
            stand_in.before = refuse_calls
        body = {"settings": {**BODY["settings"], "brake": False}}
        await finished(fleet, (await fleet.ask("POST", "fleet/runs", body))[1]["run"]["id"])

        status, plan = await fleet.ask("POST", "fleet/plan", {"labels": {"team": "west"}})
        assert (status, [row["gateway"] for row in plan["gateways"]]) == (200, ["west"])
        assert plan["gateways"][0]["recommendations"]["disable"] == 2
        status, applied = await fleet.ask("POST", "fleet/apply", {"labels": {"team": "west"}, "mode": "disable"})
        assert (status, [(row["gateway"], row["state"]) for row in applied["gateways"]]) == (200, [("west", "done")])

        await fleet.until(
            "pool?pool=west&source=api_key",
            lambda answer: not any(account["enabled"] for account in answer["accounts"]),
        )
        (east,) = (await fleet.ask("GET", "pool?pool=east&source=api_key"))[1]["accounts"]
        assert east["enabled"]


async def test_the_same_key_at_two_gateways_is_told_until_one_gives_it_up(
    tmp_path: Path, postgresql_address: str
) -> None:
    async with console(tmp_path / "data", postgresql_address, 2) as fleet:
        fleet.stand_ins[1].sections["claude-api-key"].append(claude(0))
        fleet.stand_ins[1].reload()
        await fleet.add(0, 1)
        for name in NAMES[:2]:
            await fleet.accounts(name)
        (duplicate,) = (await fleet.ask("GET", "fleet/duplicates"))[1]["duplicates"]
        assert (duplicate["kind"], duplicate["critical"], duplicate["elsewhere"]) == ("key", False, 0)
        assert [place["gateway"] for place in duplicate["places"]] == ["east", "west"]

        before = len(await fleet.accounts("west"))
        fleet.stand_ins[1].sections["claude-api-key"].pop()
        fleet.stand_ins[1].reload()
        # A reader soon after a long reading gets the last one.
        await fleet.until("pool?pool=west&source=api_key", lambda answer: len(answer["accounts"]) < before)
        assert (await fleet.ask("GET", "fleet/duplicates"))[1]["duplicates"] == []


async def test_an_operator_sees_the_gateways_of_the_labels_alone(tmp_path: Path, postgresql_address: str) -> None:
    async with console(tmp_path / "data", postgresql_address, 2) as fleet:
        fleet.stand_ins[1].sections["claude-api-key"].append(claude(0))
        fleet.stand_ins[1].reload()
        await fleet.add(0, 1)
        for name in NAMES[:2]:
            await fleet.accounts(name)
        (token,) = await issued(postgresql_address, Operator("bob", Role.OPERATOR, {"team": "east"}))
        for name in ("secret.key", "fleet.key"):
            (tmp_path / "second").mkdir(mode=0o700, exist_ok=True)
            (tmp_path / "second" / name).write_bytes((tmp_path / "data" / name).read_bytes())
            (tmp_path / "second" / name).chmod(0o600)
        async with served(tmp_path / "second", postgresql_address) as (address, browser):
            bob = Console(address, browser, key=token)
            rows = (await bob.ask("GET", "fleet/overview"))[1]["gateways"]
            assert [row["gateway"] for row in rows] == ["east"]
            (duplicate,) = (await bob.ask("GET", "fleet/duplicates"))[1]["duplicates"]
            assert ([place["gateway"] for place in duplicate["places"]], duplicate["elsewhere"]) == (["east"], 1)
            run = (await bob.ask("POST", "fleet/runs", BODY))[1]["run"]
            assert [part["gateway"] for part in run["parts"]] == ["east"]
            assert (await bob.ask("GET", "fleet/workers"))[0] == 403
