"""Values that a page or a form cannot use are named in words."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.test_usage_pages import Site, filled, site

__all__ = ["filled", "site"]


@pytest.mark.parametrize(
    ("link", "named"),
    [
        ("activity?batch=abc", "batch=abc"),
        ("usage?start=1&end=99999999999999999999&period=7d", "end=99999999999999999999, start=1"),
        ("requests?start=1.5&end=2.5", "start=1.5, end=2.5"),
        ("inspection?run=abc", "run=abc"),
        ("inspection?sort=zzz.desc", "sort=zzz.desc"),
        ("usage?by=zzz&measure=zzz&period=7d", "by=zzz, measure=zzz"),
    ],
)
def test_an_odd_value_of_a_link_is_left_out_and_named(filled: Site, link: str, named: str) -> None:
    page = filled.page
    page.goto(f"{filled.origin}/monitor/{link}")

    notice = page.locator(".notice")
    expect(notice).to_contain_text("The link has values that cannot be used here. They were left out: " + named)
    expect(notice).to_have_count(1)
    assert named.partition("=")[0] not in page.url
    expect(page.locator("#page .problem:visible")).to_have_count(0)


def test_an_odd_value_is_named_in_chinese_too(filled: Site) -> None:
    filled.page.evaluate("localStorage.setItem('poolkeeper.language', 'zh-CN')")
    filled.page.goto(f"{filled.origin}/monitor/activity?batch=abc")

    expect(filled.page.locator(".notice")).to_contain_text(re.compile("链接中有无法在此使用的值.+batch=abc"))


def test_an_own_price_is_refused_at_its_field_in_words(filled: Site) -> None:
    page = filled.open("prices")
    page.get_by_role("button", name="Add own price").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Model").fill("house-model")
    dialog.get_by_label("Output").fill("two dollars")
    dialog.get_by_role("button", name="Save").click()

    expect(dialog.get_by_role("alert")).to_have_text(
        "Output: enter an amount in US dollars such as 0.15, from 0 to 1,000,000."
    )
    expect(dialog.get_by_label("Output")).to_be_focused()
    expect(dialog.get_by_label("Output")).to_have_attribute("aria-invalid", "true")
    dialog.get_by_label("Output").fill("2")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)


def test_a_removed_price_can_be_set_again(filled: Site) -> None:
    page = filled.open("prices")
    page.get_by_role("button", name="Add own price").click()
    page.get_by_role("dialog").get_by_label("Model").fill("house-model")
    page.get_by_role("dialog").get_by_label("Output").fill("2")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    page.get_by_role("button", name="Remove house-model").click()
    expect(page.get_by_text("No own prices")).to_be_visible()

    page.locator(".toast").get_by_role("button", name="Undo").click()

    own = page.get_by_role("region", name="Own and taken-over prices: Table")
    expect(own).to_contain_text("Output $2.00")
