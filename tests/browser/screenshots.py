"""Takes a picture of each page, light, dark, on a phone and in Chinese: the real service on the demo pool.

Run as `python -m tests.browser.screenshots`. All pictures go into the folder `.screenshots`, those of the
README into `screenshots`.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect, sync_playwright

from extension.console.pages import page_names
from tests.browser.chromium import ADVICE, find_chromium
from tests.browser.conftest import LAUNCH

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".screenshots"
SHOWN = ROOT / "screenshots"
DESK: ViewportSize = {"width": 1440, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}
IN_README = ("overview-light", "inspection-light", "usage-dark", "overview-phone")
QUERY = {"inspection": "?source=api_key&sort=action", "usage": "?period=7d", "requests": "?period=7d"}
FILLED = {
    "overview": "figure canvas", "usage": "figure canvas", "inspection": "tr[data-id]",
    "activity": ".card", "runs": "tbody tr", "requests": ".table-room tbody tr", "prices": "tbody tr",
    "keys": "tbody tr",
    "settings": "dl.facts",
}  # fmt: skip
"""Something of each page that is visible when the page has what it shows."""
FLEET = {"fleet", "workers"}
"""Pages that a single gateway does not show."""
LATE = {"inspection": "#page .ticks"}
"""Read after the page is filled; a phone does not show them."""
QUALITY = 80
RUN_PATIENCE_MS = 60_000
READY = re.compile(r"Management key: (?P<key>\S+)")
ADDRESS = re.compile(r"is at (?P<address>\S+)")


@contextmanager
def demo() -> Iterator[tuple[str, str]]:
    """Yield the page's address and the management key of a demo that runs in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tools", "demo", "run", "--folder", f"{folder}/demo"]
        quiet = {**os.environ, "POOLKEEPER_LOG_LEVEL": "error"}
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=quiet) as process:
            try:
                yield announced(process)
            finally:
                process.terminate()
                process.communicate()


def announced(process: "subprocess.Popen[str]") -> tuple[str, str]:
    """Read what the demo prints until it names address and key."""
    assert process.stdout is not None
    output = ""
    for line in process.stdout:
        output += line
        key, address = READY.search(output), ADDRESS.search(output)
        if key and address:
            return address["address"], key["key"]
    raise SystemExit(f"The demo ended before it was ready. It said:\n{output}")


@dataclass(frozen=True, slots=True)
class Look:
    """Appearance of the pages in one series of pictures."""

    name: str
    size: ViewportSize = field(default_factory=lambda: DESK)
    scheme: Literal["light", "dark"] = "light"
    locale: str = "en-GB"


LOOKS = (Look("light"), Look("dark", scheme="dark"), Look("phone", size=PHONE), Look("chinese", locale="zh-CN"))


def inspect(page: Page, address: str) -> None:
    """Inspect all API keys, so that the pages have results to show."""
    page.goto(f"{address}?source=api_key")
    page.get_by_role("button", name="Check now").click()
    drawer = page.get_by_role("dialog")
    drawer.get_by_label("Timeout, seconds").fill("3")
    drawer.get_by_label("Retries").fill("0")
    drawer.get_by_role("button", name="Start").click()
    expect(drawer).to_have_count(0)
    expect(page.get_by_role("region", name="Recommended changes")).to_be_visible(timeout=RUN_PATIENCE_MS)


def entered(browser: Browser, address: str, key: str, look: Look) -> BrowserContext:
    """Return a context of the browser that is signed in."""
    context = browser.new_context(viewport=look.size, locale=look.locale, color_scheme=look.scheme)
    context.set_default_timeout(RUN_PATIENCE_MS)
    session = f"{address.split('/monitor/', maxsplit=1)[0]}/v0/management/poolkeeper/info/session"
    reply = context.request.post(session, data={"key": key})
    assert reply.ok, reply.text()
    return context


def take(browser: Browser, address: str, key: str, look: Look) -> None:
    """Take the pictures of all pages in one look."""
    context = browser.new_context(viewport=look.size, locale=look.locale, color_scheme=look.scheme)
    context.set_default_timeout(RUN_PATIENCE_MS)
    page = context.new_page()
    session = f"{address.split('/monitor/', maxsplit=1)[0]}/v0/management/poolkeeper/info/session"
    assert context.request.post(session, data={"key": key}).ok
    for name in sorted({*page_names()} - FLEET):
        page.goto(f"{address.rsplit('/', 1)[0]}/{name}{QUERY.get(name, '')}")
        shown = page.locator(f"#page {FILLED.get(name, '.card')}").first
        expect(shown).to_be_visible(timeout=RUN_PATIENCE_MS)
        if name in LATE and look.size != PHONE:
            expect(page.locator(LATE[name]).first).to_be_attached(timeout=RUN_PATIENCE_MS)
        picture = f"{name}-{look.name}"
        page.screenshot(path=FOLDER / f"{picture}.jpg", type="jpeg", quality=QUALITY)
        if picture in IN_README:
            shutil.copyfile(FOLDER / f"{picture}.jpg", SHOWN / f"{picture}.jpg")
    context.close()


def main() -> int:
    """Take all pictures; 2 when there is no browser."""
    executable = find_chromium(os.environ)
    if executable is None:
        sys.stderr.write(f"error: {ADVICE}\n")
        return 2
    FOLDER.mkdir(exist_ok=True)
    SHOWN.mkdir(exist_ok=True)
    with demo() as (address, key), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=LAUNCH)
        context = entered(browser, address, key, LOOKS[0])
        inspect(context.new_page(), address)
        context.close()
        for look in LOOKS:
            take(browser, address, key, look)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
