"""The page against the whole service, with nothing behind it but a gateway in memory."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Frame, Page, expect

from adapter.clock import SystemClock
from adapter.fake import FakeConnection, FakeGateway, by_url, issuing, reply, silent
from adapter.fake.upstream import Reply
from extension.serving.composition import compose
from tests.browser.conftest import sign_in
from tests.browser.server import served

KEY = "a-management-key-of-the-service"
CAPSULE = "#capsule dd[data-count]"
CONFIGURATION = """\
openai-compatibility:
  - name: relay-ok
    base-url: https://ok.relay.example/v1
    api-key-entries:
      - api-key: sk-relay-ok-0000000000000001
  - name: relay-401
    base-url: https://refused.relay.example/v1
    api-key-entries:
      - api-key: sk-relay-401-000000000000002
  - name: relay-silent
    base-url: https://silent.relay.example/v1
    api-key-entries:
      - api-key: sk-relay-silent-00000000003
  - name: relay-pair
    base-url: https://pair.relay.example/v1
    api-key-entries:
      - api-key: sk-relay-pair-0000000000004
      - api-key: sk-relay-pair-0000000000005
claude-api-key:
  - api-key: sk-ant-demo-000000000000006
    base-url: https://quota.vendor.example
    excluded-models:
      - "legacy-*"
"""
SECRETS = [line.split("api-key: ")[1] for line in CONFIGURATION.splitlines() if "api-key: " in line]
FILES = {"claude-someone.json": {"type": "claude", "email": "someone@mail.example", "access_token": "tok-1234567890"}}
ANSWERS: Mapping[str, Reply] = {
    "ok.relay|pair.relay": reply(),
    "refused.relay": reply(401, '{"error":{"message":"<i>no such key</i>"}}'),
    "silent.relay": silent(),
    "quota.vendor": reply(429, '{"error":{"message":"slow down"}}', {"Retry-After": "30"}),
}


@pytest.fixture
def gateway() -> FakeGateway:
    gateway = FakeGateway(CONFIGURATION, FILES, management_key=KEY, clock=SystemClock())
    gateway.upstream = issuing((*SECRETS, "tok-1234567890"), by_url(ANSWERS))
    return gateway


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    data = str(tmp_path / "data")
    return {"POOLKEEPER_DATA_DIR": data, "POOLKEEPER_LOG_LEVEL": "error", "MANAGEMENT_PASSWORD": KEY}


@pytest.fixture
def service_page(page: Page, gateway: FakeGateway, environment: dict[str, str]) -> Iterator[Page]:
    """Give a page that is logged in to the service and shows the API keys."""

    def application() -> object:
        return compose(FakeConnection(gateway), environment, authority=lambda: None)

    with served(application, with_lifespan=True) as origin:
        sign_in(page, f"{origin}/monitor/inspection", KEY)
        page.get_by_text("API keys", exact=True).click()
        expect(page.get_by_role("row", name="relay-ok")).to_be_visible()
        yield page


def inspect(page: Page | Frame) -> None:
    page.get_by_role("button", name="Start inspection").click()
    expect(page.locator("#run-state")).to_contain_text("finished")


def confirm(page: Page, account: str, verb: str) -> None:
    page.get_by_role("row", name=account).get_by_role("button", name=verb).click()
    page.get_by_role("dialog").get_by_role("button", name=verb).click()
    expect(page.locator(".toast")).to_contain_text(f"{verb}d (verified).")
    expect(page.get_by_role("dialog")).to_be_hidden()


def test_a_wrong_key_is_refused_and_the_sixth_is_banned(page: Page, service_page: Page) -> None:
    address = service_page.url
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_label("Management key")).to_be_visible()
    for _ in range(5):
        sign_in(page, address, "wrong")
        expect(page.get_by_role("alert")).to_contain_text("nvalid management key")

    sign_in(page, address, KEY)

    expect(page.get_by_role("alert")).to_contain_text("IP banned")
    expect(page.get_by_role("alert")).to_contain_text("30 minutes")


def test_an_inspection_explains_each_account(service_page: Page) -> None:
    inspect(service_page)

    expect(service_page.locator("#progress-text")).to_have_text("6 of 6")
    expect(service_page.get_by_role("row", name="relay-ok")).to_contain_text("Healthy")
    refused = service_page.get_by_role("row", name="relay-401")
    expect(refused).to_contain_text("Invalid key")
    expect(refused).to_contain_text("disable")
    expect(service_page.get_by_role("row", name="relay-silent")).to_contain_text("Unreachable")
    service_page.get_by_role("button", name="Evidence of relay-401").click()
    expect(service_page.locator(".evidence pre")).to_contain_text("<i>no such key</i>")
    expect(service_page.locator(".evidence")).to_contain_text("https://refused.relay.example/v1/models")


def test_a_disabled_provider_stays_counted_and_can_be_enabled_again(service_page: Page, gateway: FakeGateway) -> None:
    capsule = service_page.locator(CAPSULE)
    expect(capsule).to_have_text(["6", "6", "0"])

    confirm(service_page, "relay-401", "Disable")

    expect(capsule).to_have_text(["6", "5", "1"])
    expect(service_page.get_by_role("row", name="relay-401").locator(".state")).to_have_text("disabled")
    assert "disabled: true" in gateway.state.text

    confirm(service_page, "relay-401", "Enable")

    expect(capsule).to_have_text(["6", "6", "0"])


def test_a_key_of_a_vendor_is_disabled_by_a_pattern_beside_the_operators_own(
    service_page: Page, gateway: FakeGateway
) -> None:
    confirm(service_page, "claude", "Disable")

    expect(service_page.get_by_role("row", name="claude").locator(".state")).to_have_text("disabled")
    assert "legacy-*" in gateway.state.text
    assert '"*"' in gateway.state.text or "'*'" in gateway.state.text


def test_a_provider_with_two_keys_cannot_be_switched_and_says_why(service_page: Page, gateway: FakeGateway) -> None:
    button = service_page.get_by_role("button", name="Disable relay-pair").first

    expect(button).to_be_disabled()
    assert "2" in (button.get_attribute("aria-description") or "")
    assert gateway.state.text == CONFIGURATION


def test_a_selection_is_disabled_in_one_go_without_accounts_on_hold(service_page: Page) -> None:
    inspect(service_page)
    service_page.get_by_role("button", name="Select 1 recommended for disabling").click()
    for on_hold in ("relay-silent", "claude"):
        service_page.get_by_label(f"Select {on_hold}").check()
    service_page.get_by_role("button", name="Disable", exact=True).click()
    dialog = service_page.get_by_role("dialog")
    for host in ("silent.relay.example", "quota.vendor.example"):
        expect(dialog).to_contain_text(f"1 account is not changed: {host}: On hold: the only account of its host")
    dialog.get_by_role("button", name="Disable").click()
    expect(service_page.locator(".toast")).to_contain_text("Disabled (verified).")
    expect(service_page.locator(CAPSULE)).to_have_text(["6", "5", "1"])


def test_a_run_is_applied_listed_in_the_action_log_and_undone(service_page: Page, gateway: FakeGateway) -> None:
    expect(service_page.locator("#cost")).to_contain_text("The next run checks 6 of 6 accounts")
    inspect(service_page)
    service_page.get_by_role("heading", name="Recommended actions · Run 1").click()
    service_page.get_by_role("button", name="Apply: Disable and enable as recommended").click()
    service_page.get_by_role("dialog").get_by_role("button", name="Apply").click()
    expect(service_page.locator(".toast")).to_contain_text("Disabled (verified).")
    expect(service_page.locator(CAPSULE)).to_have_text(["6", "5", "1"])  # the brake holds what is not refused
    assert gateway.state.text.count("disabled: true") == 1
    service_page.get_by_role("button", name="Undo run 1…").click()
    service_page.get_by_role("dialog").get_by_role("button", name="Undo").click()

    expect(service_page.locator(".toast")).to_contain_text("Enabled (verified).")
    expect(service_page.locator(CAPSULE)).to_have_text(["6", "6", "0"])
    assert "disabled: true" not in gateway.state.text
    assert "legacy-*" in gateway.state.text
    with service_page.expect_download() as download:
        service_page.get_by_role("link", name="Run 1 as CSV").click()
    assert "relay-401" in download.value.path().read_text()
    service_page.get_by_role("link", name="Activity").click()
    expect(service_page.locator("#action-log").get_by_role("row", name="relay-401").last).to_contain_text(
        "plan applied"
    )


def test_a_flagged_account_is_not_probed_and_a_schedule_is_kept(service_page: Page) -> None:
    service_page.get_by_role("button", name="Evidence of relay-401").click()
    service_page.get_by_label("Exclude from checks: relay-401").check()
    expect(service_page.get_by_role("row", name="relay-401")).to_contain_text("excluded from checks")

    inspect(service_page)

    expect(service_page.locator("tr[data-verdict=skipped]")).to_contain_text("relay-401")
    expect(service_page.locator("tr[data-verdict=invalid_key]")).to_have_count(0)
    service_page.get_by_role("link", name="Schedules").click()
    service_page.get_by_label("Name", exact=True).fill("hourly")
    service_page.get_by_role("button", name="Save with the current run settings").click()
    row = service_page.get_by_role("row", name="hourly")
    expect(row).to_contain_text("60 min, random delay up to 5 min")
    service_page.get_by_label("Schedule hourly is on").uncheck()
    expect(row).to_contain_text("off")
    service_page.get_by_role("button", name="Remove schedule hourly").click()
    service_page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(service_page.locator("#schedules")).to_contain_text("No schedules yet.")


def test_an_oauth_file_is_listed_and_can_be_deleted(service_page: Page, gateway: FakeGateway) -> None:
    service_page.get_by_text("OAuth files", exact=True).click()
    expect(service_page.locator(CAPSULE)).to_have_text(["1", "1", "0"])

    service_page.get_by_role("button", name="Evidence of someone@mail.example, claude-someone.json").click()
    service_page.get_by_role("button", name="Delete someone@mail.example, claude-someone.json").click()
    service_page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(service_page.locator(".toast")).to_contain_text("Deleted.")

    assert gateway.state.files == {}


def test_the_page_finds_the_service_under_another_prefix(
    page: Page, gateway: FakeGateway, environment: dict[str, str]
) -> None:
    environment["POOLKEEPER_PREFIX"] = "pool-house"

    def application() -> object:
        return compose(FakeConnection(gateway), environment, authority=lambda: None)

    with served(application, with_lifespan=True) as origin:
        sign_in(page, f"{origin}/monitor/inspection", KEY)
        expect(page.get_by_role("row", name="claude-someone.json")).to_be_visible()
        page.goto("about:blank")


def test_no_key_reaches_the_page(service_page: Page) -> None:
    inspect(service_page)
    expect(rows := service_page.get_by_role("button", name="Evidence of")).to_have_count(6)
    for row in rows.all():
        row.press("Enter")
        expect(row).to_have_attribute("aria-expanded", "true")
        expect(service_page.locator(".evidence")).to_contain_text("Checked")
        assert not [secret for secret in SECRETS if secret in service_page.content()]
