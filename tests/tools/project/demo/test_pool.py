from typing import Any

import pytest
import yaml

from tools.project.demo.files import DEMO_FILES, DemoFile, demo_tokens
from tools.project.demo.pool import demo_config, demo_secrets
from tools.project.demo.rows import COMPAT, DEMO_ROWS

TEXT = demo_config("http://127.0.0.1:9", secret_key="opens-the-demo", port=8400)
CONFIG: dict[str, Any] = yaml.safe_load(TEXT)


def providers() -> dict[str, dict[str, Any]]:
    return {entry["name"]: entry for entry in CONFIG[COMPAT]}


def test_every_row_is_in_the_configuration_with_its_key_and_address() -> None:
    configured = {
        (section, entry.get("api-key"), entry.get("base-url", ""))
        for section in {row.section for row in DEMO_ROWS} - {COMPAT}
        for entry in CONFIG[section]
    } | {(COMPAT, key["api-key"], entry["base-url"]) for entry in CONFIG[COMPAT] for key in entry["api-key-entries"]}

    assert configured == {(row.section, row.key, row.base_url("http://127.0.0.1:9")) for row in DEMO_ROWS}


def test_no_secret_is_there_twice() -> None:
    secrets = demo_secrets()

    assert len(set(secrets)) == len(secrets) == len(DEMO_ROWS) + len(demo_tokens())
    assert all(len(secret) >= 20 for secret in secrets)


def test_one_provider_has_two_keys_and_all_others_one() -> None:
    counts = {name: len(entry["api-key-entries"]) for name, entry in providers().items()}

    assert {name for name, count in counts.items() if count == 2} == {"duo"}
    assert set(counts.values()) == {1, 2}


def test_one_provider_is_disabled() -> None:
    assert [name for name, entry in providers().items() if entry.get("disabled")] == ["switched-off"]


def test_patterns_and_the_star_are_where_the_rows_say() -> None:
    excluded = {entry["api-key"]: tuple(entry.get("excluded-models", ())) for entry in CONFIG["claude-api-key"]}

    assert excluded == {row.key: row.excluded for row in DEMO_ROWS if row.section == "claude-api-key"}


def test_every_entry_has_a_comment() -> None:
    entries = {row.entry for row in DEMO_ROWS}

    assert all(f"  # {entry}: " in TEXT for entry in entries)


def test_the_gateway_listens_on_loopback_with_the_key_in_clear() -> None:
    assert (CONFIG["host"], CONFIG["port"]) == ("127.0.0.1", 8400)
    assert CONFIG["remote-management"] == {"allow-remote": False, "secret-key": "opens-the-demo"}


@pytest.mark.parametrize("file", DEMO_FILES, ids=[file.name for file in DEMO_FILES])
def test_every_file_is_named_after_its_type_and_holds_its_own_tokens(file: DemoFile) -> None:
    content = file.content("http://127.0.0.1:9")

    assert file.name.startswith(f"{content['type']}-")
    assert content["access_token"] == file.access_token
    assert content.get("disabled", False) is file.disabled
    assert ("base_url" in content) is file.addressed


def test_who_names_no_address_is_used_through_the_stand_in_alone() -> None:
    entries = [entry for section in {row.section for row in DEMO_ROWS} for entry in CONFIG[section]]
    files = [file.content("http://127.0.0.1:9") for file in DEMO_FILES]

    assert all(entry.get("proxy-url") == "http://127.0.0.1:9" for entry in entries if "base-url" not in entry)
    assert all(content.get("proxy_url") == "http://127.0.0.1:9" for content in files if "base_url" not in content)
    assert any("proxy-url" in entry for entry in entries)


def test_nothing_of_the_demo_asks_a_vendor_itself() -> None:
    assert CONFIG["plugins"]["configs"]["poolkeeper"] == {"vendor-stand-in": "http://127.0.0.1:9/vendors"}
