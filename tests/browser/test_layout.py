"""Room of the pages: nothing is cut, nothing is wider than the screen."""

import re

from adapter.clock import SystemClock
from tests.browser.house import TITLES, USAGE, RunningService
from tools.project.demo.traffic import past_usage

WIDTHS = (320, 390, 768, 1440, 1920)
HOSTILE = "<img src=x onerror=alert(1)>\u202egnp.exe" + "A" * 150


def test_no_page_scrolls_sideways_at_any_width_with_hostile_names(filled: RunningService) -> None:
    line = past_usage(SystemClock().now_ms()).splitlines()[-1]
    hostile = HOSTILE.replace("\u202e", "\\u202e")
    line = re.sub(r'"(model|account|alias)": "[^"]+"', lambda match: f'"{match[1]}": "{hostile}"', line)
    filled.send(f"{USAGE}/import", re.sub(r'"digest": "\d+"', '"digest": "999"', line))
    for name in TITLES:
        page = filled.open(name, "?period=7d")
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            wide = (
                "() => new Promise((end) => requestAnimationFrame(() => requestAnimationFrame(() => "
                "end(document.documentElement.scrollWidth - innerWidth))))"
            )
            assert page.evaluate(wide) <= 0, (name, width)
