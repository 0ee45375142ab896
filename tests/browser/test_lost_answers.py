"""Changes whose answer is lost, and a batch that takes long."""

from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Console
from tests.browser.stand_in.consequences import NOW

BATCH = 7
OTHER = 8
TOTAL = 500
PART = 40


class LosingService:
    """A service that makes a change in a batch, and whose answers a proxy replaces from then on until it is back."""

    def __init__(self, page: Page) -> None:
        self.changes = 0
        self.is_lost = False
        self.batches: list[dict[str, Any]] = [batch_view(OTHER - 2, "done")]
        self.account = 0
        page.route("**/pool/status", self.change)
        page.route("**/pool/batches?*", self.read)
        page.route("**/pool/actions?*", self.actions)

    def change(self, route: Route) -> None:
        self.changes += 1
        self.is_lost = True
        self.account = (route.request.post_data_json or {})["accounts"][0]
        # The batch of another person stands beside it.
        self.batches[:0] = [batch_view(OTHER, "done"), batch_view(BATCH, "done")]
        bad_gateway(route)

    def read(self, route: Route) -> None:
        if self.is_lost:
            bad_gateway(route)
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


def bad_gateway(route: Route) -> None:
    route.fulfill(status=502, body="<html><h1>502 Bad Gateway</h1></html>", content_type="text/html")


@pytest.fixture(autouse=True)
def refusals_are_expected(console: Console) -> None:
    console.expected += ["status of 502"]


def disable(operator: Page) -> None:
    operator.get_by_role("button", name="Disable relay-ok").click()
    operator.get_by_role("dialog").get_by_role("button", name="Disable").click()


def test_a_change_whose_answer_is_lost_is_unknown_until_the_log_tells(operator: Page) -> None:
    service = LosingService(operator)
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
    assert service.changes == 1


class LongBatch:
    """Answers of a service with a batch that ends only when it is canceled."""

    def __init__(self) -> None:
        self.state = "running"

    def view(self) -> dict[str, Any]:
        planned = {"change": TOTAL, "onHold": 0, "refused": 0, "already": 0, "notEnabled": 0}
        counts = {"total": TOTAL, "done": PART, "planned": planned, "outcomes": {"applied": PART}}
        return {**batch_view(9, self.state), **counts, "endedAt": None}

    def begin(self, route: Route) -> None:
        route.fulfill(json={"batch": self.view(), "actions": []})

    def read(self, route: Route) -> None:
        route.fulfill(json={"batches": [self.view()]})

    def cancel(self, route: Route) -> None:
        self.state = "canceled"
        route.fulfill(json=self.view())

    def actions(self, route: Route) -> None:
        actions = [{**action_view(9, number), "id": number, "displayName": f"relay-{number}"} for number in range(PART)]
        route.fulfill(json={"actions": actions, "total": PART, "reverted": []})


def test_a_batch_shows_its_progress_and_a_canceled_one_how_far_it_came(operator: Page) -> None:
    batch = LongBatch()
    answers = {
        "pool/status": batch.begin, "pool/batches?*": batch.read, "pool/batches/cancel*": batch.cancel,
        "pool/actions?batch=9*": batch.actions,
    }  # fmt: skip
    for path, answer in answers.items():
        operator.route(f"**/{path}", answer)
    operator.get_by_role("button", name="Disable relay-ok").click()
    dialog = operator.get_by_role("dialog")
    dialog.get_by_role("button", name="Disable").click()
    expect(dialog).to_contain_text("40 of 500")
    expect(dialog.get_by_role("heading")).to_have_text("Working…")

    dialog.get_by_role("button", name="Cancel the rest").click()

    expect(dialog.get_by_role("heading")).to_have_text("Result")
    expect(dialog.get_by_text("The command was canceled; 460 not done.")).to_be_in_viewport()
    dialog.get_by_role("button", name="Close").click()
    notice = operator.locator(".notice")
    expect(notice).to_contain_text("40 accounts changed. The command was canceled; 460 not done.")
    notice.get_by_role("button", name="Undo").click()
    expect(dialog).to_contain_text("Undo 40 changes of batch 9?")
    expect(dialog).to_contain_text("and 28 more")
