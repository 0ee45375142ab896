"""Pages follow what is changed elsewhere."""

import re

from playwright.sync_api import Page, expect

from tests.browser.house import KEY, USAGE, RunningService, sign_out

ALIASES = "/v0/management/api-key-aliases"


def put(site: RunningService, path: str, body: object) -> None:
    reply = site.page.request.put(f"{site.origin}{path}", data=body, headers={"X-Management-Key": KEY})
    assert reply.ok, reply.text()


def busiest_key(site: RunningService) -> str:
    groups = site.answer(f"{USAGE}/summary?by=client")["groups"]
    return next(str(group["name"]) for group in groups if group["name"])


def test_requests_and_usage_show_an_alias_given_elsewhere(filled: RunningService) -> None:
    fingerprint = busiest_key(filled)
    requests = filled.open("requests", f"?period=7d&client={fingerprint}")
    expect(requests.get_by_role("button", name=re.compile("^Client key: "))).to_be_visible()
    usage = filled.page.context.new_page()
    usage.goto(f"{filled.origin}/monitor/usage?period=7d&by=client")
    expect(usage.get_by_role("heading", level=2, name="Cost by client key")).to_be_visible()

    put(filled, ALIASES, {"alias": "anna of sales", "fingerprint": fingerprint})

    expect(usage.get_by_role("link", name="anna of sales")).to_be_visible()
    expect(requests.get_by_role("button", name="Client key: anna of sales")).to_be_visible()
    expect(requests.get_by_role("cell", name="anna of sales").first).to_be_visible()
    usage.close()


def test_signing_out_ends_the_other_tabs_and_tells_them_nothing_secret(operator: Page, address: str) -> None:
    other = operator.context.new_page()
    other.goto(address)
    expect(other.get_by_role("row", name="relay-ok")).to_be_visible()
    other.evaluate("""() => {
        const path = new URL(document.querySelector("meta[name=poolkeeper-paths]").content, document.baseURI).pathname;
        const channel = new BroadcastChannel(path);
        channel.onmessage = ({ data }) => sessionStorage.setItem("heard", JSON.stringify(data));
    }""")

    sign_out(operator)

    expect(other.get_by_label("Management key")).to_be_visible()
    expect(other.get_by_role("row", name="relay-ok")).to_have_count(0)
    assert other.evaluate("sessionStorage.getItem('heard')") in {'"signed_out"', None}
    other.close()


def test_theme_clock_shapes_and_language_reach_the_other_tabs(visited: RunningService) -> None:
    page = visited.open("settings")
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator("#page").get_by_label("Theme")).to_have_value("system")

    page.locator("#page").get_by_label("Theme").select_option("dark")
    page.locator("#page").get_by_label("Time").select_option("24")
    page.get_by_role("switch", name="Shapes beside colors").click()

    expect(other.locator("html")).to_have_attribute("data-theme", "dark")
    expect(other.locator("html")).to_have_attribute("data-patterns", "")
    expect(other.locator("#page").get_by_label("Theme")).to_have_value("dark")
    expect(other.locator("#page").get_by_label("Time")).to_have_value("24")
    page.locator("#page").get_by_label("Language").select_option("zh-CN")

    expect(other.locator("html")).to_have_attribute("lang", "zh-CN")
    expect(other.get_by_role("heading", level=1)).to_have_text("设置")
    expect(other.get_by_role("button", name="退出登录")).to_be_visible()
    other.close()
