"""Gateways and workers of a fleet, and the choice of the gateway that the pages are about."""

import json
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Console
from tests.browser.house import OWN, RunningService

TEST = {
    "release": "7.2.140", "capabilities": [], "secondsPerCall": 0.01, "hashedKey": False,
    "accounts": 40, "enabled": 40, "skipped": 0,
}  # fmt: skip
WORKER = {
    "id": "w1", "name": "host-a", "version": "0.2.0", "slots": 4, "visits": [1, 2, 3, 4], "capacity": 250_000,
    "isFull": True, "startedAt": 1_795_000_000_000, "seenAt": 1_795_000_000_000,
}  # fmt: skip


def gateway(number: int, name: str, **values: Any) -> dict[str, Any]:
    return {
        "id": number, "name": name, "url": f"https://{name}.example", "keySet": True, "keyRef": "", "caSet": False,
        "labels": {"team": name}, "egress": "", "enabled": True, "keyRefused": False, "release": "7.2.140",
        "capabilities": [], "seenAt": 1_795_000_000_000, "addedBy": "console", "addedAt": 0, "revision": 1,
        "problem": "", **values,
    }  # fmt: skip


@dataclass
class FleetOf:
    """A service of one gateway that answers like a fleet of several, all with the pool of that one."""

    site: RunningService
    gateways: list[dict[str, Any]]
    pools: list[str] = field(default_factory=list)
    sent: list[dict[str, Any]] = field(default_factory=list)
    refusing: tuple[str, ...] = ()
    """Gateways that refuse their keys."""

    def __call__(self, route: Route) -> None:
        address = urlsplit(route.request.url)
        query = parse_qsl(address.query)
        self.pools += [value for name, value in query if name == "pool"]
        rest = urlencode([pair for pair in query if pair[0] != "pool"])
        if "/fleet/" in address.path:
            self._answer(route, address.path.partition("/fleet/")[2])
        elif address.path == f"{OWN}/info" and dict(query).get("pool") in self.refusing:
            problem = {"error": "The gateway refuses the management key.", "code": "gateway_unauthorised", "hint": ""}
            route.fulfill(status=502, json=problem)
        elif address.path == f"{OWN}/info":
            reply = route.fetch(url=address._replace(query=rest).geturl())
            route.fulfill(response=reply, json={**reply.json(), "fleet": True})
        else:
            route.continue_(url=address._replace(query=rest).geturl())

    def _answer(self, route: Route, path: str) -> None:
        body = json.loads(route.request.post_data or "{}")
        if body:
            self.sent.append(body)
        if path == "workers":
            route.fulfill(json={"workers": [WORKER]})
        elif path == "gateways/test" or (path == "gateways" and body):
            if body.get("key") == "wrong":
                problem = {"error": "The gateway refused the key.", "code": "gateway_key_refused", "field": "key"}
                route.fulfill(status=409, json={**problem, "hint": ""})
                return
            added = gateway(9, body["name"])
            self.gateways += [] if path == "gateways/test" else [added]
            route.fulfill(json={"gateway": added, "test": TEST})
        else:
            if path == "gateways/remove":
                self.gateways = [row for row in self.gateways if row["name"] != body["name"]]
            route.fulfill(json={"gateways": self.gateways})


@pytest.fixture
def fleet(site: RunningService) -> FleetOf:
    refused = gateway(3, "north", keyRefused=True, problem="The key was refused.")
    fleet = FleetOf(site, [gateway(1, "east"), gateway(2, "west"), refused])
    site.page.route("**/v0/management/**", fleet)
    return fleet


def opened(fleet: FleetOf, name: str) -> Page:
    fleet.site.page.goto(f"{fleet.site.origin}/monitor/{name}")
    return fleet.site.page


@pytest.mark.parametrize("refusing", [("north",), ("north", "east", "west")], ids=["the chosen one", "all"])
def test_a_gateway_that_refuses_its_key_keeps_the_pages_open(
    fleet: FleetOf, console: Console, refusing: tuple[str, ...]
) -> None:
    console.expected.append("502")
    fleet.refusing = refusing
    page = opened(fleet, "fleet?pool=north")
    expect(page.get_by_role("row", name="north")).to_contain_text("Key refused")
    expect(page.get_by_role("row", name="east")).to_be_visible()


def test_a_fleet_shows_state_release_and_labels_of_its_gateways_and_the_slots_of_its_workers(fleet: FleetOf) -> None:
    page = opened(fleet, "fleet")
    expect(page.get_by_role("row", name="east")).to_contain_text("Ready")
    north = page.get_by_role("row", name="north")
    expect(north).to_contain_text("Key refused")
    expect(north).to_contain_text("team=north")
    north.click()
    expect(page.get_by_role("dialog", name="north")).to_contain_text("not sent again until it is changed")
    page.get_by_role("link", name="Workers").click()
    worker = page.get_by_role("row", name="host-a")
    expect(worker).to_contain_text("4 of 4")
    expect(worker).to_contain_text("full")
    expect(worker).to_contain_text("east, west, north, #4")


def test_a_gateway_is_tested_before_it_is_added_and_removed_after_a_question(fleet: FleetOf, console: Console) -> None:
    console.expected.append("/fleet/gateways")
    page = opened(fleet, "fleet?edit=new")
    drawer = page.get_by_role("dialog", name="Add gateway")
    drawer.get_by_label("Name").fill("south")
    drawer.get_by_label("URL").fill("https://south.example")
    drawer.get_by_label("Labels").fill("team=south")
    drawer.get_by_label("Management key").fill("wrong")
    drawer.get_by_role("button", name="Test and add").click()
    expect(drawer.get_by_role("alert")).to_contain_text("refused the key")
    expect(drawer.get_by_label("Management key")).to_be_focused()
    drawer.get_by_label("Management key").fill("a-right-key")
    drawer.get_by_role("button", name="Test and add").click()
    expect(page.get_by_text("It answers: release 7.2.140, 40 accounts")).to_be_visible()
    assert fleet.sent[-1]["labels"] == {"team": "south"}

    page.get_by_role("row", name="south").click()
    drawer = page.get_by_role("dialog", name="south")
    drawer.get_by_role("button", name="Test").click()
    expect(drawer.get_by_role("status")).to_contain_text("It answers")
    drawer.get_by_role("button", name="Remove").click()
    page.get_by_role("dialog", name="Remove the gateway south?").get_by_role("button", name="Remove").click()
    expect(page.get_by_role("row", name="south")).to_have_count(0)


def test_the_pages_are_about_the_gateway_that_is_chosen_at_the_head_of_the_side_bar(fleet: FleetOf) -> None:
    page = opened(fleet, "schedules?pool=east")
    switcher = page.get_by_role("group", name="Gateway")
    expect(switcher).to_contain_text("east")
    switcher.get_by_role("button").click()
    expect(page.get_by_role("menuitemradio", name="north")).to_be_disabled()
    page.get_by_role("menuitemradio", name="west").click()
    expect(switcher.get_by_role("button", name="west")).to_be_visible()
    expect(page.get_by_text("No schedules yet.")).to_be_visible()
    assert set(fleet.pools[fleet.pools.index("west") :]) == {"west"}


def test_a_service_of_one_gateway_offers_no_page_of_a_fleet(site: RunningService) -> None:
    page = site.open("schedules")
    expect(page.get_by_role("link", name="Notifications")).to_be_visible()
    expect(page.get_by_role("link", name="Workers")).to_have_count(0)
    page.goto(f"{site.origin}/monitor/fleet")
    expect(page.get_by_text("This service has one gateway.")).to_be_visible()
