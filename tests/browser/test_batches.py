"""A batch that is followed in its dialog, and canceled there."""

from typing import Any

from playwright.sync_api import Page, Route, expect

from tests.browser.stand_in.consequences import NOW

TOTAL = 500
PART = 40


class LongBatch:
    """Answers of a service with a batch that ends only when it is canceled."""

    def __init__(self) -> None:
        self.state = "running"

    def view(self) -> dict[str, Any]:
        planned = {"change": TOTAL, "onHold": 0, "refused": 0, "already": 0, "notEnabled": 0}
        shared: dict[str, Any] = {
            "id": 9,
            "run": None,
            "cause": "request",
            "actor": "page",
            "actorKind": "person",
            "reasons": [],
        }
        counts = {"total": TOTAL, "done": PART, "planned": planned, "outcomes": {"applied": PART}}
        return {**shared, **counts, "state": self.state, "reason": "", "at": NOW, "endedAt": None}

    def begin(self, route: Route) -> None:
        route.fulfill(json={"batch": self.view(), "actions": []})

    def read(self, route: Route) -> None:
        route.fulfill(json={"batches": [self.view()]})

    def cancel(self, route: Route) -> None:
        self.state = "canceled"
        route.fulfill(json=self.view())

    def actions(self, route: Route) -> None:
        empty: dict[str, Any] = {"keyHint": "", "place": "", "text": "Disabled (verified).", "texts": [], "reasons": []}
        shared = {"action": "disable", "outcome": "applied", "actor": "page", "reason": "", "at": NOW, "before": {}}
        links = {"run": None, "actorKind": "person", "cause": "request", "undoes": None, "batch": 9}
        actions = [
            {**empty, **shared, **links, "id": number, "account": number, "displayName": f"relay-{number}"}
            for number in range(PART)
        ]
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
    operator.unroute_all(behavior="wait")
