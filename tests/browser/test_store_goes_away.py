"""A page while the database server goes away and comes back: it says so, and recovers, by itself."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, expect

from adapter.clock import SystemClock
from adapter.fake import FakeConnection, FakeGateway
from extension.serving.composition import compose
from tests.browser.conftest import Console, sign_in
from tests.browser.server import served
from tests.browser.test_with_the_service import CONFIGURATION, FILES, KEY
from tests.postgresql.server import PostgreSQLServer, running_server

SOON_MS = 8_000


@contextmanager
def service_and_server(folder: Path) -> Iterator[tuple[str, PostgreSQLServer]]:
    gateway = FakeGateway(CONFIGURATION, FILES, management_key=KEY, clock=SystemClock())
    with running_server() as server:
        environment = {
            "POOLKEEPER_DATA_DIR": str(folder),
            "POOLKEEPER_LOG_LEVEL": "error",
            "POOLKEEPER_DATABASE_URL": server.address(server.create()),
            "MANAGEMENT_PASSWORD": KEY,
        }

        def application() -> object:
            return compose(FakeConnection(gateway), environment, authority=lambda: None)

        with served(application, with_lifespan=True) as origin:
            yield origin, server


def test_an_open_page_says_that_the_database_is_away_and_recovers_by_itself(
    page: Page, console: Console, tmp_path: Path
) -> None:
    console.expected.append("status of 503")
    with service_and_server(tmp_path / "data") as (origin, server):
        sign_in(page, f"{origin}/monitor/inspection", KEY)
        expect(page.locator("#live")).to_have_text("Live")
        late = page.context.new_page()

        server.stop()

        expect(page.locator("#live")).to_have_text("Database unavailable", timeout=SOON_MS)
        expect(page.get_by_role("alert")).to_contain_text("The database refused")
        late.goto(f"{origin}/monitor/inspection")
        expect(late.get_by_role("alert")).to_contain_text("The database refused")
        page.get_by_role("button", name="Start inspection").click()
        expect(page.get_by_role("alert")).to_have_count(1)

        server.start()

        expect(page.locator("#live")).to_have_text("Live", timeout=SOON_MS)
        expect(page.get_by_role("alert")).to_have_count(0)
        expect(late.locator("#live")).to_have_text("Live", timeout=4 * SOON_MS)
        expect(late.get_by_role("alert")).to_have_count(0)
        for left in (page, late):
            left.goto("about:blank")


def test_a_database_that_is_away_asks_nobody_to_sign_in_again(page: Page, console: Console, tmp_path: Path) -> None:
    console.expected.append("status of 503")
    with service_and_server(tmp_path / "data") as (origin, server):
        page.goto(f"{origin}/monitor/inspection")
        server.stop()
        sign_in(page, f"{origin}/monitor/inspection", KEY)

        expect(page.get_by_role("alert")).to_contain_text("The database refused", timeout=SOON_MS)
        expect(page.get_by_label("Management key")).to_be_hidden()

        server.start()

        expect(page.locator("#live")).to_have_text("Live", timeout=4 * SOON_MS)
        page.goto("about:blank")
