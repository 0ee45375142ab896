"""Finds a Chromium for the browser tests, or installs one.

Order: the path in POOLKEEPER_CHROMIUM, a Chromium or Chrome on the PATH, the one playwright keeps; then Debian's
package when run as root on a Debian, else playwright's own download. A machine where none of this works gets an
error that names the package to install: browser tests are never skipped.
"""

import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.installing import ensured, install_packages

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ADVICE = (
    "no Chromium found and none could be installed: install the package `chromium`, or set POOLKEEPER_CHROMIUM to the "
    "path of a Chromium or Chrome"
)


def find_chromium(environment: Mapping[str, str]) -> Path | None:
    """Return the browser to use, or None when this machine has none.

    Raises FileNotFoundError: POOLKEEPER_CHROMIUM names something that is not there; a wish is never replaced silently.
    """
    wished = environment.get("POOLKEEPER_CHROMIUM", "").strip()
    if wished:
        if not Path(wished).is_file():
            raise FileNotFoundError(f"POOLKEEPER_CHROMIUM names {wished}, which does not exist: correct or unset it")
        return Path(wished)
    for name in NAMES:
        program = shutil.which(name, path=environment.get("PATH"))
        if program:
            return Path(program)
    return _playwright_browser()


def _playwright_browser() -> Path | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = Path(playwright.chromium.executable_path)
    return path if path.is_file() else None


def _install() -> None:
    if not install_packages("chromium", "fonts-dejavu-core"):
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False, stdout=sys.stderr)


if __name__ == "__main__":
    sys.exit(ensured("Chromium", find_chromium, _install, ADVICE))
