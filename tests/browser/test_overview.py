"""Overview: sessions that need a sign-in."""

import json
from typing import Any

from playwright.sync_api import Page, Route, expect

from tests.browser.house import OWN, RunningService

NAMES = [f"claude-{number}.json" for number in range(1, 8)]


def patched(page: Page, path: str, **changes: Any) -> None:
    """Let the service answer a path with some fields changed."""

    def answer(route: Route) -> None:
        reply = route.fetch()
        body = reply.json()
        for name, change in changes.items():
            body[name] = {**body[name], **change} if isinstance(change, dict) else change
        route.fulfill(response=reply, body=json.dumps(body))

    page.route(f"**{OWN}/{path}*", answer)


def sessions(expired: int, revoked: int) -> dict[str, Any]:
    verdicts = ["relogin_needed"] * expired + ["revoked"] * revoked
    named = [
        {"id": 10 + at, "source": "oauth", "displayName": "", "fileName": NAMES[at], "keyHint": "", "verdict": verdict}
        for at, verdict in enumerate(verdicts)
    ]
    return {"reloginCount": len(verdicts), "revokedCount": revoked, "relogin": named}


def test_expired_and_revoked_sessions_are_counted_apart_and_the_rest_is_named(visited: RunningService) -> None:
    patched(visited.page, "pool/overview", attention=sessions(expired=5, revoked=2))
    page = visited.open("overview")
    needed = page.get_by_role("region", name="What needs me now?")

    expect(needed).to_contain_text("5 sessions have expired: sign in again")
    expect(needed).to_contain_text("2 sessions were revoked: sign in again")
    expect(needed.get_by_role("listitem").filter(has_text="claude-5.json")).to_have_count(1)
    more = needed.get_by_role("link", name="and 2 more")
    expect(more).to_have_attribute("href", "inspection?source=oauth&verdict=relogin_needed%2Crevoked")


def test_the_page_says_that_it_is_loading_until_it_has_something_to_show(visited: RunningService) -> None:
    page = visited.page
    waiting: list[Route] = []
    page.route(f"**{OWN}/pool/overview*", lambda route: waiting.append(route))  # noqa: PLW0108 - a builtin is refused
    with page.expect_request(f"**{OWN}/pool/overview*"):
        visited.open("overview")
    loading = page.locator("#page").get_by_role("status").filter(has_text="Loading…")
    expect(loading).to_be_visible()

    waiting[0].continue_()

    expect(page.get_by_role("region", name="Is my pool well?")).to_be_visible()
    expect(loading).to_have_count(0)
