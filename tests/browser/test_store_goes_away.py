"""A page that is open while the database server goes away and comes back: it says so, and recovers, by itself."""

from pathlib import Path

from playwright.sync_api import Page, expect

from adapter.clock import SystemClock
from adapter.fake import FakeConnection, FakeGateway
from extension.serving.composition import compose
from tests.browser.conftest import Console, sign_in
from tests.browser.server import served
from tests.browser.test_with_the_service import CONFIGURATION, FILES, KEY
from tests.postgresql.server import running_server

SOON_MS = 8_000


def test_an_open_page_says_that_the_database_is_away_and_recovers_by_itself(
    page: Page, console: Console, tmp_path: Path
) -> None:
    console.expected.append("status of 503")
    gateway = FakeGateway(CONFIGURATION, FILES, management_key=KEY, clock=SystemClock())
    with running_server() as server:
        environment = {
            "POOLKEEPER_DATA_DIR": str(tmp_path / "data"),
            "POOLKEEPER_LOG_LEVEL": "error",
            "POOLKEEPER_DATABASE_URL": server.address(server.create()),
            "MANAGEMENT_PASSWORD": KEY,
        }

        def application() -> object:
            return compose(FakeConnection(gateway), environment, authority=lambda: None)

        with served(application, with_lifespan=True) as origin:
            sign_in(page, f"{origin}/monitor/inspection", KEY)
            expect(page.locator("#live")).to_have_text("Live")
            late = page.context.new_page()

            server.stop()

            expect(page.locator("#live")).to_have_text("Database unavailable", timeout=SOON_MS)
            expect(page.get_by_role("alert")).to_contain_text("Check that PostgreSQL runs")
            late.goto(f"{origin}/monitor/inspection")
            expect(late.get_by_role("alert")).to_contain_text("Check that PostgreSQL runs")
            page.get_by_role("button", name="Start inspection").click()
            expect(page.get_by_role("alert")).to_have_count(1)

            server.start()

            expect(page.locator("#live")).to_have_text("Live", timeout=SOON_MS)
            expect(page.get_by_role("alert")).to_have_count(0)
            expect(late.locator("#live")).to_have_text("Live", timeout=4 * SOON_MS)
            expect(late.get_by_role("alert")).to_have_count(0)
            for left in (page, late):
                left.goto("about:blank")
