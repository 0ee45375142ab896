"""Takes the pictures of the README: the real service on the demo pool, after an inspection.

Run as `python -m tests.browser.screenshots`; the pictures go into the folder `screenshots` of the project.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from tests.browser.conftest import LAUNCH, sign_in
from tools.project.browser import ADVICE, find_chromium

FOLDER = Path(__file__).parents[2] / "screenshots"
WIDE: ViewportSize = {"width": 1440, "height": 1180}
NARROW: ViewportSize = {"width": 420, "height": 1180}
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
    said = ""
    for line in process.stdout:
        said += line
        key, address = READY.search(said), ADDRESS.search(said)
        if key and address:
            return address["address"], key["key"]
    raise SystemExit(f"The demo ended before it was ready. It said:\n{said}")


def inspected(browser: Browser, address: str, key: str) -> Page:
    """Return the page after an inspection of all API keys, with what should be disabled first."""
    page = browser.new_context(viewport=WIDE, locale="en-GB").new_page()
    sign_in(page, address, key)
    page.get_by_text("API keys", exact=True).click()
    page.get_by_text("Run settings").click()
    page.get_by_label("Timeout, seconds").fill("3")
    page.get_by_label("Retries").fill("0")
    page.get_by_text("Run settings").click()
    page.get_by_role("button", name="Start inspection").click()
    expect(page.locator("#run-state")).to_contain_text("finished", timeout=RUN_PATIENCE_MS)
    page.get_by_role("button", name="Recommended", exact=True).click()
    page.get_by_role("button", name="Evidence of").nth(1).click()
    expect(page.locator(".evidence")).to_be_visible()
    page.evaluate("scrollTo(0, 0)")
    return page


def main() -> int:
    """Take all pictures; 2 when there is no browser."""
    executable = find_chromium(os.environ)
    if executable is None:
        sys.stderr.write(f"error: {ADVICE}\n")
        return 2
    FOLDER.mkdir(exist_ok=True)
    with demo() as (address, key), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=LAUNCH)
        page = inspected(browser, address, key)
        page.screenshot(path=FOLDER / "inspection.png")
        page.emulate_media(color_scheme="dark")
        page.screenshot(path=FOLDER / "inspection-dark.png")
        page.emulate_media(color_scheme="light")
        page.set_viewport_size(NARROW)
        page.screenshot(path=FOLDER / "inspection-narrow.png")
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
