"""Live mode of the list of requests: a hidden tab keeps no stream open, and catches up when it is shown."""

from playwright.sync_api import expect

from adapter.clock import SystemClock
from tests.browser.test_usage_pages import USAGE, Site, filled, site
from tools.project.demo.traffic import past_usage

__all__ = ["filled", "site"]

COUNT_STREAMS = """() => {
  const Plain = window.EventSource;
  window.openStreams = [];
  window.EventSource = class extends Plain {
    constructor(address) {
      super(address);
      if (String(address).includes("usage/stream")) window.openStreams.push(this);
    }
    close() {
      super.close();
      window.openStreams = window.openStreams.filter((each) => each !== this);
    }
  };
}"""
SHOW = """(hidden) => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_a_hidden_tab_keeps_no_stream_of_requests_open_and_catches_up(site: Site) -> None:
    lines = past_usage(SystemClock().now_ms()).splitlines(keepends=True)[-3:]
    site.send(f"{USAGE}/import", lines[0])
    page = site.open("requests", "?period=7d")
    page.evaluate(COUNT_STREAMS)
    rows = page.locator("#page tbody tr")
    expect(rows).to_have_count(1)
    page.get_by_role("button", name="Live").click()
    expect(page.get_by_text("Live: new requests appear")).to_be_visible()
    site.send(f"{USAGE}/import", lines[1])
    expect(rows).to_have_count(2)

    page.evaluate(SHOW, True)
    assert page.evaluate("window.openStreams.length") == 0
    site.send(f"{USAGE}/import", lines[2])
    expect(rows).to_have_count(2)

    page.evaluate(SHOW, False)
    expect(rows).to_have_count(3)
    assert page.evaluate("window.openStreams.length") == 1
