"""Changes whose answer is lost after they were made: the console finds out what became of them."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Console
from tests.browser.stand_in.consequences import NOW

BATCH = 7
OTHER = 8


class LosingService:
    """A service that makes a change in a batch, and whose answers are lost from then on until it is back."""

    def __init__(self, page: Page, lose: Callable[[Route], None]) -> None:
        self.asked = 0
        self.is_lost = False
        self.batches: list[dict[str, Any]] = [batch_view(OTHER - 2, "done")]
        self.state = "done"
        self.account = 0
        self.lose = lose
        page.route("**/pool/status", self.change)
        page.route("**/pool/batches?*", self.read)
        page.route("**/pool/actions?*", self.actions)

    def change(self, route: Route) -> None:
        self.asked += 1
        self.is_lost = True
        self.account = (route.request.post_data_json or {})["accounts"][0]
        # The batch of another person stands beside it.
        self.batches[:0] = [batch_view(OTHER, "done"), batch_view(BATCH, self.state)]
        self.lose(route)

    def read(self, route: Route) -> None:
        if self.is_lost:
            self.lose(route)
        else:
            route.fulfill(json={"batches": self.batches})

    def actions(self, route: Route) -> None:
        number = BATCH if f"batch={BATCH}" in route.request.url else OTHER
        action = action_view(number, self.account if number == BATCH else 99)
        route.fulfill(json={"actions": [action], "total": 1, "reverted": []})


def batch_view(number: int, state: str) -> dict[str, Any]:
    planned = {"change": 1, "onHold": 0, "refused": 0, "already": 0, "notEnabled": 0}
    shared: dict[str, Any] = {"run": None, "cause": "request", "actor": "page", "actorKind": "person", "reasons": []}
    counts = {"total": 1, "done": 1, "planned": planned, "outcomes": {"applied": 1}}
    return {"id": number, **shared, **counts, "state": state, "reason": "", "at": NOW, "endedAt": NOW}


def action_view(batch: int, account: int) -> dict[str, Any]:
    empty: dict[str, Any] = {"keyHint": "", "place": "", "text": "Disabled (verified).", "texts": [], "reasons": []}
    shared = {"action": "disable", "outcome": "applied", "actor": "page", "reason": "", "at": NOW, "before": {}}
    links = {"run": None, "actorKind": "person", "cause": "request", "undoes": None, "batch": batch}
    return {**empty, **shared, **links, "id": batch, "account": account, "displayName": "relay-ok"}


def cut(route: Route) -> None:
    route.abort("connectionreset")


def bad_gateway(route: Route) -> None:
    route.fulfill(status=502, body="<html><h1>502 Bad Gateway</h1></html>", content_type="text/html")


@pytest.fixture(autouse=True)
def unrouted(page: Page, console: Console) -> Iterator[None]:
    console.expected += ["ERR_CONNECTION_RESET", "status of 502"]
    yield
    page.unroute_all(behavior="wait")


def disable(operator: Page) -> None:
    operator.get_by_role("button", name="Disable relay-ok").click()
    operator.get_by_role("dialog").get_by_role("button", name="Disable").click()


@pytest.mark.parametrize("lose", [cut, bad_gateway])
def test_a_change_whose_answer_is_lost_is_unknown_until_the_log_tells(
    operator: Page, lose: Callable[[Route], None]
) -> None:
    service = LosingService(operator, lose)
    disable(operator)
    dialog = operator.get_by_role("dialog")
    expect(dialog.get_by_role("heading")).to_have_text("Unknown")
    expect(dialog).to_contain_text("The change may have been made.")
    expect(dialog).not_to_contain_text("again")

    service.is_lost = False

    expect(dialog).to_be_hidden()
    notice = operator.locator(".notice.toast")
    expect(notice).to_contain_text("Disabled (verified).")
    notice.get_by_role("button", name="Undo").click()
    expect(dialog).to_contain_text("relay-ok")
    assert service.asked == 1


def test_a_lost_change_whose_dialog_was_closed_is_told_of_in_a_notice(operator: Page) -> None:
    service = LosingService(operator, cut)
    disable(operator)
    expect(operator.get_by_role("dialog").get_by_role("heading")).to_have_text("Unknown")
    operator.get_by_role("dialog").get_by_role("button", name="Close").click()

    service.is_lost = False

    expect(operator.locator(".notice.toast").get_by_role("button", name="Undo")).to_be_visible()


def test_a_change_without_a_record_stays_unknown(operator: Page) -> None:
    service = LosingService(operator, cut)
    disable(operator)
    dialog = operator.get_by_role("dialog")
    expect(dialog.get_by_role("heading")).to_have_text("Unknown")
    service.batches = service.batches[2:]

    service.is_lost = False

    expect(dialog).to_contain_text("no record of the change so far", timeout=20_000)
    expect(dialog.get_by_role("heading")).to_have_text("Unknown")
