"""Overview: sessions that need a sign-in, runs of both sources, loading, and paper."""

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Route, expect

from tests.browser.filled_pool import MANAGEMENT, OWN, enter, filled_pool

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


def test_expired_and_revoked_sessions_are_counted_apart_and_the_rest_is_named(page: Page, tmp_path: Path) -> None:
    client = page.context.request
    with filled_pool(tmp_path, client) as origin:
        enter(client, origin)
        patched(page, "pool/overview", attention=sessions(expired=5, revoked=2))
        page.goto(f"{origin}/monitor/overview")
        needed = page.get_by_role("region", name="What needs me now?")

        expect(needed).to_contain_text("5 sessions have expired: sign in again")
        expect(needed).to_contain_text("2 sessions were revoked: sign in again")
        expect(needed.get_by_role("listitem").filter(has_text="claude-5.json")).to_have_count(1)
        more = needed.get_by_role("link", name="and 2 more")
        expect(more).to_have_attribute("href", "inspection?source=oauth&verdict=relogin_needed%2Crevoked")
        page.unroute_all(behavior="wait")
        page.goto("about:blank")


def test_the_way_to_sign_in_again_is_a_link_only_where_the_gateway_has_a_page_for_it(
    page: Page, tmp_path: Path
) -> None:
    client = page.context.request
    with filled_pool(tmp_path, client) as origin:
        enter(client, origin)
        patched(page, "pool/overview", attention=sessions(expired=1, revoked=0))
        page.goto(f"{origin}/monitor/overview")
        link = page.get_by_role("link", name="Sign in at the gateway")
        expect(link).to_have_attribute("href", "/management.html#/oauth")

        patched(page, "info", gateway={"capabilities": []})
        page.reload()
        expect(page.get_by_text("This gateway has no sign-in page.")).to_be_visible()
        expect(link).to_have_count(0)
        page.unroute_all(behavior="wait")
        page.goto("about:blank")


def test_the_trend_shows_each_source_by_itself(page: Page, tmp_path: Path) -> None:
    client = page.context.request
    shared = {"startedAt": 1_795_000_000_000, "done": 3, "statuses": {"healthy": 3}}
    sources = ("api_key", "oauth", "api_key")
    runs = [{"run": number, "source": source, **shared} for number, source in enumerate(sources, start=1)]
    with filled_pool(tmp_path, client) as origin:
        enter(client, origin)
        patched(page, "pool/overview", runs=runs)
        page.goto(f"{origin}/monitor/overview")
        trend = page.get_by_role("region", name="Results of the last runs", exact=True)

        expect(trend.get_by_role("heading", level=3)).to_have_text(["Last runs: API keys", "Last runs: OAuth files"])
        for table in trend.locator("summary").all():
            table.click()
        expect(trend.locator("figure").first.locator("tbody tr")).to_have_count(2)
        expect(trend.locator("figure").last.locator("tbody tr")).to_have_count(1)
        page.unroute_all(behavior="wait")
        page.goto("about:blank")


def test_the_page_says_that_it_is_loading_until_it_has_something_to_show(page: Page, tmp_path: Path) -> None:
    client = page.context.request
    with filled_pool(tmp_path, client) as origin:
        enter(client, origin)
        held: list[Route] = []
        page.route(f"**{OWN}/pool/overview*", lambda route: held.append(route))  # noqa: PLW0108 - a builtin is refused
        with page.expect_request(f"**{OWN}/pool/overview*"):
            page.goto(f"{origin}/monitor/overview")
        loading = page.locator("#page").get_by_role("status").filter(has_text="Loading…")
        expect(loading).to_be_visible()

        held[0].continue_()

        expect(page.get_by_role("region", name="Is my pool well?")).to_be_visible()
        expect(loading).to_have_count(0)
        page.unroute_all(behavior="wait")
        page.goto("about:blank")


def test_paper_shows_the_content_over_its_whole_width(page: Page, tmp_path: Path) -> None:
    client = page.context.request
    with filled_pool(tmp_path, client) as origin:
        enter(client, origin)
        page.goto(f"{origin}/monitor/overview")
        health = page.get_by_role("region", name="Is my pool well?")
        expect(health).to_be_visible()

        page.emulate_media(media="print")

        expect(page.get_by_role("navigation")).to_be_hidden()
        share = "node => node.getBoundingClientRect().width / document.documentElement.clientWidth"
        assert health.evaluate(share) > 0.95
        page.goto("about:blank")


def test_recommended_accounts_without_a_switch_are_said_to_have_none(page: Page, tmp_path: Path) -> None:
    client = page.context.request
    with filled_pool(tmp_path, client) as origin:
        enter(client, origin)
        found = client.get(f"{origin}{OWN}/pool/overview", headers=MANAGEMENT).json()["findings"]
        changed = {source: {**each, "toDisable": 3, "withoutSwitch": 1} for source, each in found.items()}
        patched(page, "pool/overview", findings=changed)
        page.goto(f"{origin}/monitor/overview")

        lines = page.locator(".todo li").filter(has_text="cannot be switched here")
        said = "1 of those recommended to disable or enable cannot be switched here"
        expect(lines).to_have_count(2)
        for source in ("API keys", "OAuth files"):
            expect(lines.filter(has_text=f"{source}: {said}")).to_have_count(1)
        expect(lines.first).to_contain_text("Change it in the gateway's configuration.")
        page.goto("about:blank")
