"""The overview."""

import re
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Locator, Page, Route, expect

from adapter.clock import SystemClock
from tests.browser.house import OWN, USAGE, RunningService

ROWS = "#results tbody tr:not(.spacer), table tr[data-id]"
ACTION = {
    "account": 4, "displayName": "relay-401", "keyHint": "sk-r…0002", "place": "", "action": "disable",
    "outcome": "applied", "text": "", "texts": [], "actor": "schedule", "reason": "", "reasons": [], "before": {},
    "run": 3, "actorKind": "automation", "cause": "run", "undoes": None, "batch": 8,
}  # fmt: skip


def part(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name=name)


def test_the_pages_of_a_new_pool_say_what_to_do(site: RunningService) -> None:
    page = site.open("overview")

    expect(part(page, "Needs attention")).to_contain_text("No inspection has finished yet")
    for source in ("API keys", "OAuth files"):
        way = part(page, "Needs attention").get_by_role("link", name=re.compile(rf"^{source}: \d+$"))
        expect(way).to_have_attribute("href", re.compile("check=true"))
    expect(part(page, "Coverage")).to_contain_text("accounts were never checked")
    expect(part(page, "Requests today")).to_contain_text("No requests today.")
    expect(site.open("usage").get_by_text("No requests in this period")).to_be_visible()
    expect(site.open("requests").get_by_text("No requests in this period")).to_be_visible()
    expect(site.open("keys").get_by_text("No client key was used")).to_be_visible()
    expect(site.open("prices").get_by_text("No model in use takes its price from a list")).to_be_visible()


def test_each_number_of_two_sources_opens_a_list_of_as_many_accounts(visited: RunningService) -> None:
    page = visited.open("overview")
    expect(part(page, "Health by host").get_by_role("listitem")).not_to_have_count(0)
    ways = page.locator(".cause .row a, .entry .row a").filter(has_text=re.compile(r"\d"))
    links = [
        (link.get_attribute("href") or "", int(re.sub(r"\D", "", link.inner_text().rpartition(":")[2])))
        for link in ways.all()
    ]

    assert {parse_qs(urlsplit(href).query)["source"][0] for href, _ in links} == {"api_key", "oauth"}
    for href, number in links:
        page.goto(f"{visited.origin}/monitor/{href}")
        expect(page.locator(ROWS), href).to_have_count(number)


def test_tiles_show_the_numbers_of_the_api(visited: RunningService) -> None:
    page = visited.open("overview")
    start = page.evaluate("new Date().setHours(0, 0, 0, 0)")
    overview = visited.answer(f"{OWN}/pool/overview")
    healthy = sum(statuses.get("healthy", 0) for statuses in overview["statuses"].values())
    totals = visited.answer(f"{USAGE}/summary?start={start}")["totals"]

    figures = part(page, "Figures").locator(".figure")
    expect(figures.nth(0)).to_have_text(f"{healthy:,}")
    expect(figures.nth(2)).to_have_text(f"{totals['requests']:,}")
    page.get_by_role("link", name="Yesterday").click()
    expect(page.get_by_role("heading", name="Cost by client key")).to_be_visible()
    expect(page).to_have_url(re.compile("usage.period=yesterday"))


def with_actions(page: Page) -> list[object]:
    """Let automation have disabled two accounts; return what is sent to undo them."""
    sent: list[object] = []

    def answer(route: Route) -> None:
        at = SystemClock().now_ms() - 60_000
        actions = [{**ACTION, "id": 11 + number, "at": at} for number in range(2)]
        reverted = [11, 12] if sent else []
        route.fulfill(json={"actions": actions, "total": 2, "reverted": reverted})

    def undo(route: Route) -> None:
        sent.append(route.request.post_data_json)
        route.fulfill(json={"batch": None, "actions": []})

    page.route("**/pool/actions*", answer)
    page.route("**/pool/undo", undo)
    return sent


def test_what_automation_did_is_the_same_at_every_look_and_is_undone_in_one_press(visited: RunningService) -> None:
    sent = with_actions(visited.page)
    page = visited.open("overview")
    automation = part(page, "Automation, last 24 h")
    for _ in range(2):
        expect(automation.get_by_role("listitem")).to_contain_text("Disabled 2 accounts")
        page.get_by_role("link", name="Prices").click()
        expect(page.get_by_role("heading", level=1, name="Prices")).to_be_visible()
        page.goto(f"{visited.origin}/monitor/overview")

    automation.get_by_role("button", name="Undo: Disabled 2 accounts").click()

    expect(page.locator(".toast")).to_contain_text("The changes are being undone.")
    assert sent == [{"batch": 8, "background": True}]
    page.reload()
    expect(automation.get_by_role("listitem")).to_contain_text("undone")
    expect(automation.get_by_role("button")).to_have_count(0)


def test_a_column_of_today_leads_to_its_requests(visited: RunningService) -> None:
    page = visited.open("overview")
    traffic = part(page, "Requests today")
    expect(traffic.get_by_role("figure").or_(traffic.get_by_text("No requests today."))).to_be_visible()
    if not traffic.get_by_role("figure").is_visible():  # right after midnight
        return
    traffic.get_by_text("Requests today: Table").click()
    traffic.get_by_role("table").get_by_role("link").first.click()

    expect(page.get_by_role("heading", level=1, name="Requests")).to_be_visible()
    expect(page).to_have_url(re.compile(r"requests\?start=\d+&end=\d+$"))
