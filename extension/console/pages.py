"""Names of the page's parts, each a folder with a module `page.js`."""

from extension.console import STATIC

PAGES = STATIC / "pages"


def page_names() -> tuple[str, ...]:
    """Return the names below `/monitor/` that have a page."""
    return tuple(sorted(folder.parent.name for folder in PAGES.glob("*/page.js")))
