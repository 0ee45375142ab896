"""Recommendations of a run have one count in overview, heading, bulk bar, filters, API and terminal."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from extension.cli.output.results import summary
from tests.browser.stand_in.service import StandInService
from tests.browser.test_with_the_service import environment, gateway, inspect, service_page

__all__ = ["environment", "gateway", "service_page"]

OWN = "/v0/management/poolkeeper"


def answered(page: Page, path: str) -> Any:
    return page.evaluate("path => fetch(path).then((answer) => answer.json())", f"{OWN}/{path}")


@pytest.mark.usefixtures("gateway")
def test_accounts_on_hold_are_counted_by_themselves_wherever_recommendations_are(service_page: Page) -> None:
    inspect(service_page)

    (run,) = answered(service_page, "inspections")["runs"]
    found = answered(service_page, "pool/overview")["findings"]["api_key"]
    assert (found["toDisable"], found["onHold"]) == (1, 2)
    assert (run["recommendations"]["disable"], run["onHold"]) == (1, 2)
    assert sum(run["recommendations"].values()) + run["onHold"] == run["done"]
    assert "; 3 keep, 1 disable, 2 on hold." in summary(run)
    heading = service_page.locator("#follow-up-summary")
    expect(heading).to_have_text("Recommended at the end of the run: disable 1 · On hold: 2")
    expect(service_page.get_by_role("button", name="Select 1 recommended for disabling")).to_be_visible()
    recommendation = service_page.get_by_role("combobox", name="Recommendation")
    expect(recommendation.locator("option")).to_have_text(
        ["Any recommendation", "keep (3)", "disable (1)", "on hold (2)"]
    )
    recommendation.select_option("on_hold")
    advice = service_page.locator("#results tbody .action")
    expect(advice).to_have_text(["on hold", "on hold"])
    expect(advice.first).to_have_attribute("title", "The recommended change (disable) is not made automatically.")
    expect(service_page.get_by_role("button", name="On hold 2")).to_have_attribute("aria-pressed", "true")
    expect(recommendation.locator("option[value=disable]")).to_have_text("disable (2)")


@pytest.mark.usefixtures("gateway")
def test_what_was_released_changes_no_number_of_its_run(service_page: Page) -> None:
    inspect(service_page)
    (run,) = answered(service_page, "inspections")["runs"]
    assert run["onHold"] == 2
    disabling = run["recommendations"]["disable"]

    service_page.locator("#show-held").click()
    service_page.locator("#follow-up").get_by_role("button", name=re.compile("^Release 1")).first.click()
    service_page.get_by_role("dialog").get_by_role("button", name="Release").click()
    expect(service_page.locator("#follow-up-summary")).to_contain_text("On hold: 2 (1 still)")
    expect(service_page.locator("#run-state")).to_contain_text("2 on hold (1 still)")

    (run,) = answered(service_page, "inspections")["runs"]
    counts = run["recommendations"]
    assert (counts["disable"], run["onHold"], run["stillOnHold"]) == (disabling, 2, 1)
    assert sum(counts.values()) + run["onHold"] == run["done"]
    assert "; 3 keep, 1 disable, 2 on hold (1 still)." in summary(run)

    service_page.get_by_role("combobox", name="Show").select_option(str(run["id"]))
    recommendation = service_page.get_by_role("combobox", name="Recommendation")
    expect(recommendation.locator("option[value=disable]")).to_have_text("disable (1)")
    expect(service_page.get_by_role("button", name="On hold 2")).to_be_visible()


@pytest.mark.usefixtures("gateway")
def test_the_filter_of_a_recommendation_is_the_same_in_the_api_and_on_the_page(service_page: Page) -> None:
    inspect(service_page)
    pool = "pool?source=api_key&view=slim&action=disable"
    offered = service_page.get_by_role("combobox", name="Recommendation").locator("option[value=disable]")

    for query, wanted in (("", "disable (1)"), ("&onHold=true", "disable (2)")):
        found = answered(service_page, pool + query)["accounts"]
        assert f"disable ({len(found)})" == wanted
        if query:
            service_page.get_by_role("button", name="On hold 2").click()
        expect(offered).to_have_text(wanted)


@pytest.mark.usefixtures("gateway")
def test_the_number_of_failing_accounts_leads_to_them(service_page: Page) -> None:
    inspect(service_page)
    failing = service_page.locator("#failing")
    count = int(re.sub(r"\D", "", failing.inner_text()))
    expect(failing).to_have_attribute("title", re.compile("Invalid key, Forbidden, .*, Unreachable"))

    (run,) = answered(service_page, "pool/overview")["runs"]
    assert count == sum(
        run["statuses"].get(status, 0) for status in ("invalid_key", "forbidden", "rejected", "unreachable")
    )
    failing.click()

    expect(service_page.get_by_label("Show", exact=True)).to_have_value("1")
    expect(service_page.locator("#count")).to_have_text(f"{count} of 6")


def test_a_run_without_a_failure_says_so_from_its_first_result_on(operator: Page, service: StandInService) -> None:
    operator.get_by_role("button", name="Start inspection").click()
    expect(operator.get_by_role("button", name="Stop")).to_be_visible()
    expect(operator.locator("#failing")).to_be_hidden()

    service.land(1)

    expect(operator.locator("#failing")).to_have_text("0 failing accounts")


@pytest.mark.usefixtures("gateway")
def test_each_count_of_accounts_says_what_it_counts(service_page: Page) -> None:
    inspect(service_page)
    own = "failing" in service_page.locator("#follow-up").inner_text()
    assert not own, "plans count recommendations"
    failing = service_page.locator("#failing").inner_text()

    service_page.goto(service_page.url.split("/inspection")[0] + "/overview")

    trend = service_page.get_by_role("region", name="Results of the last runs")
    trend.get_by_text("Table").click()
    heads = trend.get_by_role("columnheader").all_inner_texts()
    row = [*trend.get_by_role("rowheader").all_inner_texts(), *trend.get_by_role("cell").all_inner_texts()]
    assert failing.split() == [row[heads.index("Failing")], "failing", "accounts"]
    hosts = service_page.get_by_role("region", name="Health by host", exact=True)
    expect(hosts.get_by_role("columnheader", name="Not healthy")).to_have_attribute(
        "title", re.compile("any other status than Healthy")
    )


def test_no_number_of_recommendations_is_shown_before_the_end_of_a_run_is_read(
    operator: Page, service: StandInService
) -> None:
    shortcut = operator.get_by_role("button", name="recommended for disabling")
    operator.get_by_role("button", name="Start inspection").click()
    expect(operator.get_by_role("button", name="Stop")).to_be_visible()
    service.land(4)
    expect(operator.locator("#progress-text")).to_have_text("4 of 11")
    expect(shortcut).to_have_count(0)
    for account in service.accounts[:6]:
        account["onHold"] = True
    answer = service.delays.next_answer("GET", "pool")

    service.land()

    expect(operator.locator("#run-state")).to_contain_text("Run 1 · finished")
    answer.wait_until_made()
    expect(shortcut).to_have_count(0)
    answer.release()
    expect(shortcut).to_have_text(re.compile(r"^Select [1-5] recommended for disabling$"))
