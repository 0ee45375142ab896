"""Overview, usage, requests, prices and keys in the browser, against the whole service with a gateway in memory."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from adapter.clock import SystemClock
from adapter.fake import FakeConnection, FakeGateway, by_url, issuing
from extension.serving.composition import compose
from tests.browser.conftest import Console, sign_in
from tests.browser.server import served
from tests.browser.test_with_the_service import ANSWERS, CONFIGURATION, FILES, KEY, SECRETS
from tools.project.demo.traffic import past_usage

OWN = "/v0/management/poolkeeper"
USAGE = "/v0/management/usage"
PAGES = {"overview": "Overview", "usage": "Usage", "requests": "Requests", "prices": "Prices", "keys": "Keys"}
WIDTHS = (320, 390, 768, 1440, 1920)
HOSTILE = "<img src=x onerror=alert(1)>\u202egnp.exe" + "A" * 150


@dataclass
class Site:
    """The running service, and requests to it with the page's own session."""

    page: Page
    origin: str

    def open(self, name: str, query: str = "") -> Page:
        self.page.goto(f"{self.origin}/monitor/{name}{query}")
        expect(self.page.get_by_role("heading", level=1, name=PAGES[name])).to_be_visible()
        return self.page

    def answer(self, path: str) -> Any:
        return self.page.request.get(f"{self.origin}{path}").json()

    def send(self, path: str, text: str) -> None:
        reply = self.page.request.post(f"{self.origin}{path}", data=text, headers={"X-Management-Key": KEY})
        assert reply.ok, reply.text()


@pytest.fixture
def site(page: Page, tmp_path: Path) -> Iterator[Site]:
    gateway = FakeGateway(CONFIGURATION, FILES, management_key=KEY, clock=SystemClock())
    gateway.upstream = issuing((*SECRETS, "tok-1234567890"), by_url(ANSWERS))
    environment = {
        "POOLKEEPER_DATA_DIR": str(tmp_path / "data"), "POOLKEEPER_LOG_LEVEL": "error", "MANAGEMENT_PASSWORD": KEY,
    }  # fmt: skip

    def application() -> object:
        return compose(FakeConnection(gateway), environment, authority=lambda: None)

    with served(application, with_lifespan=True) as origin:
        sign_in(page, f"{origin}/monitor/overview", KEY)
        expect(page.get_by_role("heading", level=1, name="Overview")).to_be_visible()
        yield Site(page, origin)
        page.goto("about:blank")


@pytest.fixture
def filled(site: Site) -> Site:
    site.send(f"{USAGE}/import", past_usage(SystemClock().now_ms()))
    return site


def test_the_overview_of_a_new_pool_says_what_to_do(site: Site) -> None:
    page = site.open("overview")

    expect(page.get_by_role("link", name="No inspection has finished yet")).to_have_count(2)  # to do, and no trend
    expect(page.get_by_text("Nothing needs you now.")).to_have_count(0)
    expect(page.get_by_text("accounts were never checked")).to_be_visible()
    expect(page.get_by_text("No requests today")).to_be_visible()


def test_each_number_of_the_overview_is_one_of_the_api(filled: Site) -> None:
    page = filled.open("overview")
    found = filled.answer(f"{OWN}/pool/overview")

    entry = page.get_by_role("region", name="Is my pool well?").get_by_role("link", name="Not checked").first
    expect(entry).to_contain_text(str(sum(found["statuses"]["api_key"].values())))
    expect(entry).to_have_attribute("href", "inspection?source=api_key&verdict=none")
    for source, name in (("api_key", "API keys"), ("oauth", "OAuth files")):
        number = found["findings"][source]["neverChecked"]
        entry = page.get_by_role("link", name=re.compile(rf"^{name}: {number} enabled accounts? w\w+ never checked"))
        expect(entry).to_have_attribute("href", f"inspection?source={source}&verdict=none&state=in_checks")
    totals = filled.answer(f"{USAGE}/summary?start={day_start(page)}")["totals"]
    if totals["requests"]:
        expect(page.get_by_role("link", name=f"{totals['requests']:,}", exact=True).first).to_be_visible()


def day_start(page: Page) -> int:
    start: int = page.evaluate("new Date().setHours(0, 0, 0, 0)")
    return start


def test_the_values_of_a_picture_are_read_with_the_arrow_keys(filled: Site) -> None:
    page = filled.open("usage", "?period=7d&by=none")
    picture = page.get_by_role("figure").first
    picture.locator(".plot").focus()
    reading = picture.locator(".reading")
    first = reading.inner_text()
    assert re.search(r"\d", first)

    page.keyboard.press("ArrowRight")

    assert reading.inner_text() != first
    page.keyboard.press("Home")
    assert reading.inner_text() == first
    picture.get_by_text("Table", exact=True).click()
    cells = picture.get_by_role("row").nth(1).inner_text()
    assert first.split(": ")[0] in cells
    page.keyboard.press("Escape")
    picture.locator(".plot").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1, name="Requests")).to_be_visible()
    assert "start=" in page.url


def test_usage_shows_the_sums_of_the_api_by_any_dimension(filled: Site) -> None:
    page = filled.open("usage", "?period=7d")
    shown = page.get_by_role("region", name="Sums of the period").locator("dd").first
    expect(shown).to_have_text(re.compile(r"[1-9][\d,]*"))
    for by in ("account", "client", "provider", "failure", "none", "model"):
        page.get_by_label("Group by").select_option(by)
        expect(page).to_have_url(re.compile(f"by={by}"))
        expect(page.get_by_role("figure").first).to_be_visible()
    expect(page.get_by_role("heading", name="Usage: Model")).to_be_visible()
    page.get_by_label("Show", exact=True).select_option("usd")
    expect(page.get_by_role("heading", name="Cost over time")).to_be_visible()
    expect(page.get_by_role("heading", name="Requests by weekday and hour")).to_be_visible()
    expect(page.get_by_role("row", name="spare-key")).to_contain_text("429 rate_limit_exceeded")
    page.go_back()
    expect(page.get_by_label("Show", exact=True)).to_have_value("requests")


def test_the_list_of_requests_is_filtered_and_a_cost_says_why(filled: Site) -> None:
    page = filled.open("requests", "?period=7d&failed=false")
    page.get_by_role("button", name="gpt-5", exact=True).first.click()
    expect(page).to_have_url(re.compile("model=gpt-5"))
    others = page.locator("td[data-label=Model]").filter(has_not_text=re.compile(r"^\s*gpt-5\s*$"))
    expect(others).to_have_count(0)
    page.get_by_role("button", name=re.compile("why this number")).first.click()

    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Cost: $")
    expect(dialog.get_by_role("row", name="Output")).to_contain_text("$10.00 per million")
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)


def test_new_requests_appear_while_the_list_is_live(filled: Site) -> None:
    page = filled.open("requests", "?period=7d")
    page.get_by_role("button", name="Live").click()
    expect(page.get_by_text("Live: new requests appear")).to_be_visible()
    event = past_usage(SystemClock().now_ms()).splitlines()[-1]
    event = re.sub(r'"digest": "\d+"', '"digest": "12345"', event)

    filled.send(f"{USAGE}/import", re.sub(r'"model": "[^"]+"', '"model": "arrived-just-now"', event))

    expect(page.get_by_role("row").nth(1)).to_contain_text("arrived-just-now")
    page.get_by_role("button", name="Live").click()


def test_a_price_is_set_changed_and_removed(filled: Site, console: Console) -> None:
    console.expected.append("/model-prices")  # refuses what is no number
    page = filled.open("prices")
    expect(page.get_by_text("No own prices")).to_be_visible()

    page.get_by_role("button", name="Add own price").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Model").fill("house-model")
    dialog.get_by_label("Input").fill("1.5")
    dialog.get_by_label("Output").fill("not a number")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("alert")).to_be_visible()
    dialog.get_by_label("Output").fill("3")
    dialog.get_by_role("button", name="Save").click()

    row = (
        page.get_by_role("region", name="Own and taken-over prices: Table").get_by_role("row", name="house-model").first
    )
    expect(row).to_contain_text("Input $1.50 · Output $3.00")
    (stored,) = filled.answer("/v0/management/model-prices")["prices"]
    assert stored["rates"]["input"]["amount"] == "1.5"
    row.get_by_role("button", name="Remove").click()
    expect(page.get_by_text("No own prices")).to_be_visible()


def test_a_model_is_found_in_the_built_in_list(filled: Site) -> None:
    page = filled.open("prices", "?search=gpt-5-mini")
    expect(page.get_by_role("row", name="gpt-5-mini").first).to_contain_text("Built-in list")


def test_a_client_key_gets_a_name_that_requests_show(filled: Site) -> None:
    page = filled.open("keys")
    page.get_by_label(re.compile("^Alias of")).first.fill("Night batch")
    page.get_by_role("button", name=re.compile("^Save the alias of")).first.click()
    expect(page.get_by_label(re.compile("^Alias of")).first).to_have_value("Night batch")

    filled.open("requests", "?period=7d")

    expect(page.get_by_role("button", name="Night batch").first).to_be_visible()


def test_pages_without_usage_say_what_to_do(site: Site) -> None:
    expect(site.open("usage").get_by_text("No requests in this period")).to_be_visible()
    expect(site.open("requests").get_by_text("No requests in this period")).to_be_visible()
    expect(site.open("keys").get_by_text("No client key was used")).to_be_visible()
    expect(site.open("prices").get_by_text("No model in use takes its price from a list")).to_be_visible()


@pytest.mark.parametrize("name", PAGES)
def test_no_page_scrolls_sideways_at_any_width_with_hostile_names(filled: Site, name: str) -> None:
    line = past_usage(SystemClock().now_ms()).splitlines()[-1]
    hostile = HOSTILE.replace("\u202e", "\\u202e")
    line = re.sub(r'"(model|account|alias)": "[^"]+"', lambda found: f'"{found[1]}": "{hostile}"', line)
    filled.send(f"{USAGE}/import", re.sub(r'"digest": "\d+"', '"digest": "999"', line))
    page = filled.open(name, "?period=7d")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_function("document.documentElement.scrollWidth <= innerWidth")
    page.set_viewport_size({"width": 1440, "height": 900})


@pytest.mark.parametrize("name", PAGES)
def test_every_control_has_a_name_and_every_picture_a_title(filled: Site, name: str) -> None:
    page = filled.open(name, "?period=7d")
    expect(page.locator("#page .panel").first).to_be_visible()
    unnamed = page.evaluate(
        """() => [...document.querySelectorAll("#page :is(a, button, input, select, [tabindex='0'])")]
        .filter((node) => !(node.textContent.trim() || node.getAttribute("aria-label") || node.labels?.length))
        .map((node) => node.outerHTML.slice(0, 120))"""
    )
    assert unnamed == []
    untitled = page.evaluate("[...document.querySelectorAll('figure')].filter((each) => !each.innerText.trim()).length")
    assert untitled == 0


def test_the_pages_speak_chinese(filled: Site) -> None:
    filled.page.evaluate("localStorage.setItem('poolkeeper.language', 'zh-CN')")
    filled.page.goto(f"{filled.origin}/monitor/usage?period=7d")
    expect(filled.page.get_by_role("heading", name="用量", exact=True)).to_be_visible()
    expect(filled.page.get_by_role("heading", name="按星期和小时的请求")).to_be_visible()
    filled.page.goto(f"{filled.origin}/monitor/overview")
    expect(filled.page.get_by_role("heading", name="号池健康吗")).to_be_visible()
