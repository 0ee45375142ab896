"""The page at the literal paths that a stock gateway gives the pages of a plugin, within a frame of its panel."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Frame, Page, expect

from adapter.fake import FakeConnection, FakeGateway
from extension.console.pages import page_names
from extension.plugin.routes import page_path
from extension.serving.composition import compose
from tests.browser.plugin_host import BASE, PANEL, PluginHost
from tests.browser.server import served
from tests.browser.test_with_the_service import KEY, environment, gateway, inspect

__all__ = ["environment", "gateway"]


@pytest.fixture
def frame(page: Page, gateway: FakeGateway, environment: dict[str, str]) -> Iterator[Frame]:
    """Give the page within the panel, signed in."""

    def application() -> object:
        return PluginHost(compose(FakeConnection(gateway), environment, authority=lambda: None), KEY)

    with served(application, with_lifespan=True) as origin:
        page.goto(f"{origin}{PANEL}")
        found = next(each for each in page.frames if each.url.endswith(page_path(BASE)))
        found.get_by_label("Management key").fill(KEY)
        found.get_by_role("button", name="Sign in").click()
        found.get_by_text("API keys", exact=True).click()
        expect(found.get_by_role("row", name="relay-ok")).to_be_visible()
        yield found


def test_a_key_that_the_panel_remembers_is_taken_with_one_click(page: Page, frame: Frame) -> None:
    remembered = {"state": {"apiBase": frame.evaluate("location.origin"), "managementKey": KEY}}
    page.evaluate("stored => localStorage.setItem('cli-proxy-auth', stored)", json.dumps(remembered))
    page.reload()
    again = page.frame_locator("iframe")

    again.get_by_role("button", name="Use the key of the gateway's panel").click()

    expect(again.get_by_role("row", name="relay-ok")).to_be_visible()
    kept = page.evaluate("Object.entries(localStorage).filter(([name]) => name !== 'cli-proxy-auth')")
    assert KEY not in json.dumps(kept)


def test_an_inspection_runs_and_its_results_are_saved(page: Page, frame: Frame, tmp_path: Path) -> None:
    inspect(frame)

    expect(frame.get_by_role("row", name="relay-401")).to_contain_text("Invalid key")
    frame.locator("#follow-up summary").first.click()
    with page.expect_download() as saving:
        frame.get_by_role("button", name="as JSONL").click()
    saving.value.save_as(tmp_path / "saved")
    rows = [json.loads(line) for line in (tmp_path / "saved").read_text("utf-8").splitlines()]
    assert (saving.value.suggested_filename, len(rows)) == ("inspection-1.jsonl", 6)


def test_every_page_opens_by_its_own_address_and_by_the_navigation(page: Page, frame: Frame) -> None:
    panel = page.url
    for name in page_names():
        frame.locator(f"#navigation a[href={name}]").click()
        expect(frame.locator("#navigation [aria-current=page]")).to_have_attribute("href", name)
        expect(frame.locator("#page h1")).to_have_count(1)
        assert frame.url.split("?", maxsplit=1)[0].endswith(page_path(BASE, name))
    assert page.url == panel

    page.goto(panel.replace(PANEL, page_path(BASE, "usage")))

    expect(page.get_by_label("Management key")).to_be_visible()
    expect(page.locator("#sign-in-help")).to_contain_text("sent with each request and kept in memory only")
    expect(page).to_have_title("Poolkeeper")


HINDERED = """notice => {
  const box = notice.getBoundingClientRect();
  const covered = [...notice.querySelectorAll("p, button")].filter((node) => {
    const at = node.getBoundingClientRect();
    const top = document.elementFromPoint(at.left + at.width / 2, at.top + at.height / 2);
    return !notice.contains(top);
  });
  const wide = document.documentElement.scrollWidth - innerWidth;
  return {covered: covered.map((node) => node.textContent), wide, outside: Math.max(0, box.right - innerWidth)};
}"""
FREE = {"covered": [], "wide": 0, "outside": 0}
LONG = "/srv/" + "a-folder-with-a-long-name/" * 6 + "poolkeeper.db is missing."
SHOW = """async ([text, isToast]) => {
  const { Notices } = await import(new URL("static/notices.js", document.baseURI));
  new Notices(document.getElementById("notices")).show("long", {
    level: "error", text, hint: text, isToast, action: { label: "Undo", act: () => {} },
  });
}"""


@pytest.mark.parametrize("width", [320, 768, 1280])
@pytest.mark.parametrize("toast", [False, True])
def test_nothing_of_the_page_covers_a_notice_or_is_pushed_out_of_the_frame(
    page: Page, frame: Frame, width: int, *, toast: bool
) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.locator("iframe").evaluate("node => { node.width = innerWidth; document.body.style.margin = 0 }")
    frame.evaluate(SHOW, [LONG, toast])
    notice = frame.locator(".notice[data-topic=long]")
    expect(notice.get_by_role("button", name="Dismiss")).to_be_visible()
    assert notice.evaluate(HINDERED) == FREE

    if width >= 768:
        frame.get_by_role("row", name="relay-ok").locator(".name button, .name a").first.click()
        expect(frame.locator("#side-panel")).to_be_visible()
        frame.evaluate("scrollTo(0, 0)")
        assert notice.evaluate(HINDERED) == FREE
