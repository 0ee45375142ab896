"""Answers that come in another order than they were asked for never put an older state back."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, expect

from tests.browser.stand_in.pool import key_account
from tests.browser.stand_in.service import StandInService

TURN = "() => new Promise((turned) => setTimeout(turned))"


@contextmanager
def answer_arrives(page: Page, path: str) -> Iterator[None]:
    """Wait at the end of the block until the page has got one more answer of this path, and has taken its turn."""
    with page.expect_response(lambda response: path in response.url) as answer:
        yield
    answer.value.finished()
    page.evaluate(TURN)


def start(page: Page) -> None:
    page.get_by_role("button", name="Start inspection").click()
    expect(page.get_by_role("button", name="Stop")).to_be_visible()


def test_a_reading_of_a_paused_run_that_is_late_does_not_undo_the_resume(
    operator: Page, service: StandInService
) -> None:
    start(operator)
    service.land(3)
    expect(operator.locator("#progress-text")).to_have_text("3 of 11")
    operator.get_by_role("button", name="Pause", exact=True).click()
    expect(operator.locator("#run-state")).to_contain_text("Run 1 · paused")
    late = service.delays.next_answer("GET", "inspections")
    service.emit("run.state", 1, state="paused")
    late.wait_until_made()
    operator.get_by_role("button", name="Resume", exact=True).click()
    expect(operator.locator("#run-state")).to_contain_text("Run 1 · running")

    with answer_arrives(operator, "inspections?run=1"):
        late.release()

    service.land(2)
    expect(operator.locator("#progress-text")).to_have_text("5 of 11")
    expect(operator.locator("#run-state")).to_contain_text("Run 1 · running")


def test_the_answer_to_a_command_that_is_late_does_not_undo_what_came_after_it(
    operator: Page, service: StandInService
) -> None:
    start(operator)
    service.land(3)
    operator.get_by_role("button", name="Pause", exact=True).click()
    expect(operator.locator("#run-state")).to_contain_text("Run 1 · paused")
    late = service.delays.next_answer("POST", "inspections/resume")
    operator.get_by_role("button", name="Resume", exact=True).click()
    late.wait_until_made()
    service.land()
    expect(operator.locator("#run-state")).to_contain_text("Run 1 · finished")

    with answer_arrives(operator, "inspections/resume"):
        late.release()

    start(operator)
    expect(operator.get_by_label("Show").locator("option").nth(2)).to_contain_text("Run 1")
    expect(operator.get_by_label("Show").locator("option").nth(2)).to_contain_text("finished")


def test_a_reading_of_all_runs_that_is_late_does_not_lose_the_run_just_started(
    operator: Page, service: StandInService
) -> None:
    late = service.delays.next_answer("GET", "inspections")
    service.emit("reset", None)
    late.wait_until_made()
    start(operator)

    with answer_arrives(operator, "inspections?limit"):
        late.release()

    service.land(2)
    expect(operator.locator("#progress-text")).to_have_text("2 of 11")
    expect(operator.locator("#run-state")).to_contain_text("Run 1 · running")


def test_a_reading_of_the_pool_that_is_late_does_not_hide_results_that_landed_meanwhile(
    operator: Page, service: StandInService
) -> None:
    start(operator)
    service.accounts.append(key_account(20, "relay-new", "compat"))
    late = service.delays.next_answer("GET", "pool")
    operator.get_by_role("button", name="Refresh").click()
    late.wait_until_made()
    service.land(2)
    expect(operator.get_by_role("row", name="relay-401")).to_contain_text("Invalid key")

    late.release()

    expect(operator.get_by_role("row", name="relay-new")).to_be_visible()
    expect(operator.get_by_role("row", name="relay-401")).to_contain_text("Invalid key")


def test_while_another_source_is_read_its_accounts_are_not_those_of_the_one_before(
    operator: Page, service: StandInService
) -> None:
    late = service.delays.next_answer("GET", "pool")
    operator.get_by_text("OAuth files", exact=True).click()
    late.wait_until_made()

    expect(operator.locator("#empty")).to_have_text("Loading the pool…")
    expect(operator.locator("#results")).to_be_hidden()
    late.release()

    expect(operator.get_by_role("row", name="claude-first")).to_be_visible()


def test_a_reading_of_the_pool_that_is_late_does_not_replace_a_newer_one(
    operator: Page, service: StandInService
) -> None:
    late = service.delays.next_answer("GET", "pool")
    operator.get_by_role("button", name="Refresh").click()
    late.wait_until_made()
    service.accounts.append(key_account(20, "relay-new", "compat"))
    service.emit("reset", None)
    expect(operator.get_by_role("row", name="relay-new")).to_be_visible()

    with answer_arrives(operator, "poolkeeper/pool?"):
        late.release()

    start(operator)
    expect(operator.get_by_role("row", name="relay-new")).to_be_visible()
