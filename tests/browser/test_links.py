"""Views that an address names."""

import pytest
from playwright.sync_api import expect

from tests.browser.house import RunningService

ROWS = "#page tr[data-id]"


@pytest.mark.parametrize(
    ("link", "named"),
    [
        ("inspection?sort=zzz.desc", "sort=zzz.desc"),
    ],
)
def test_an_odd_value_of_a_link_is_left_out_and_named(visited: RunningService, link: str, named: str) -> None:
    page = visited.page
    page.goto(f"{visited.origin}/monitor/{link}")

    notice = page.locator(".notice")
    expect(notice).to_contain_text("The link has values that cannot be used here. They were left out: " + named)
    expect(notice).to_have_count(1)
    assert named.partition("=")[0] not in page.url
    expect(page.locator("#page .problem:visible")).to_have_count(0)
