"""A silent gateway and a database that goes away hold up no page."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Console, sign_in
from tests.browser.house import KEY, new_gateway, running_service
from tests.browser.stand_in.service import StandInService
from tests.postgresql.server import PostgreSQLServer, running_server

pytestmark = pytest.mark.soak

RING = """(button) => {
  const { content, animationName } = getComputedStyle(button, "::after");
  return content === "none" ? "" : animationName;
}"""
RECOVERY_MS = 40_000


def hammer(button: Locator) -> None:
    """Press a button three times within one answer."""
    box = button.bounding_box()
    for _ in range(3):
        button.click()
    assert button.evaluate(RING) == "appear, turn"
    assert button.bounding_box() == box
    expect(button).to_have_attribute("aria-busy", "true")


def test_automation_is_paused_once(operator: Page, service: StandInService) -> None:
    paused = service.delays.next_answer("POST", "config/automation")
    hammer(operator.get_by_role("button", name="Pause automation"))
    paused.release()
    expect(operator.get_by_role("button", name="Resume automation")).to_be_visible()
    assert [path for _, path, _ in service.requests] == ["config/automation"]


@contextmanager
def service_and_server(folder: Path) -> Iterator[tuple[str, PostgreSQLServer]]:
    with running_server() as server:
        database = server.address(server.create())
        with running_service(new_gateway(), folder, POOLKEEPER_DATABASE_URL=database) as origin:
            yield origin, server


def test_an_open_page_says_that_the_database_is_away_and_recovers_by_itself(
    page: Page, console: Console, tmp_path: Path
) -> None:
    console.expected.append("status of 503")
    with service_and_server(tmp_path / "data") as (origin, server):
        sign_in(page, f"{origin}/monitor/inspection", KEY)
        expect(page.locator(".side-bar .live")).to_have_text("Live")
        late = page.context.new_page()

        server.stop()

        expect(page.locator(".side-bar .live")).to_have_text("Database unavailable")
        expect(page.get_by_role("alert")).to_contain_text("The database refused")
        late.goto(f"{origin}/monitor/inspection")
        expect(late.get_by_role("alert")).to_contain_text("The database refused")
        page.get_by_role("button", name="Refresh").click()
        expect(page.get_by_role("alert")).to_have_count(1)

        server.start()

        expect(page.locator(".side-bar .live")).to_have_text("Live")
        expect(page.get_by_role("alert")).to_have_count(0)
        expect(late.locator(".side-bar .live")).to_have_text("Live", timeout=RECOVERY_MS)
        expect(late.get_by_role("alert")).to_have_count(0)
        for tab in (page, late):
            tab.goto("about:blank")
