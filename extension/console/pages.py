"""Names of the pages, and the files of the built console."""

from typing import Final

from extension.texts.catalogue import languages

BUILT_PAGES: Final = frozenset(
    {
        "activity",
        "fleet",
        "inspection",
        "keys",
        "notifications",
        "overview",
        "prices",
        "requests",
        "runs",
        "schedules",
        "settings",
        "usage",
        "workers",
    }
)
"""Pages of the built console: a folder with a module `page.tsx` each, and a row in `app/src/shell/pages.ts`."""
BUILT_FILES: Final = (
    "app.css",
    "app.js",
    "chart.js",
    "details.js",
    "pages.js",
    "shared.js",
    *(f"{name}.js" for name in sorted(BUILT_PAGES)),
    *(f"{language}{part}.json" for language in languages() for part in ("", ".rest")),
)
"""Files of the built console but its document; a plugin's host routes each by its name."""


def page_names() -> tuple[str, ...]:
    """Return the names below `/monitor/` that have a page."""
    return tuple(sorted(BUILT_PAGES))
