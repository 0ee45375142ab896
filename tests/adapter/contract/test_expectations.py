import ast
import inspect
from pathlib import Path

import pytest

from adapter.contract import expectations
from adapter.contract.expectations import ALSO_USED, CONTRACT, KEYS, OWN, management, own
from adapter.port import Section


def test_there_are_twelve_outbound_paths_eleven_of_our_own_and_twenty_three_together() -> None:
    assert len(CONTRACT) == 12
    assert len(OWN) == 11
    assert len({endpoint.path for endpoint in CONTRACT} | {own(row.name) for row in OWN}) == 23


def test_the_outbound_contract_is_the_one_of_the_spec() -> None:
    assert [(endpoint.method, endpoint.path.removeprefix("/v0/management/")) for endpoint in CONTRACT] == [
        ("GET", "config"),
        ("PUT", "config.yaml"),
        ("GET", "auth-files"),
        ("PATCH", "auth-files/status"),
        ("GET", "proxy-url"),
        ("GET", "usage-queue"),
        ("PUT", "usage-statistics-enabled"),
        ("PUT", "openai-compatibility"),
        ("PUT", "gemini-api-key"),
        ("PUT", "claude-api-key"),
        ("PUT", "codex-api-key"),
        ("PUT", "vertex-api-key"),
    ]


def test_our_own_paths_are_these_under_the_configured_prefix() -> None:
    assert [own(row.name, "pk").removeprefix("/v0/management/") for row in OWN] == [
        "pk/info",
        "pk/config",
        "pk/pool",
        "pk/inspections",
        "model-prices",
        "model-prices/sync",
        "model-price-proxy",
        "api-key-aliases",
        "usage",
        "usage/summary",
        "usage/stream",
    ]


def test_the_five_configuration_keys_are_those_of_the_spec() -> None:
    assert {repr(key) for key in KEYS} == {
        "plugins.dir",
        "plugins.configs",
        "proxy-url",
        "remote-management.secret-key",
        "remote-management.allow-remote",
    }


def test_no_endpoint_is_listed_twice_and_each_says_who_relies_on_it() -> None:
    rows = [*CONTRACT, *ALSO_USED]
    assert len({(row.method, row.path) for row in rows}) == len(rows)
    assert all(row.caller for row in rows)
    assert all(row.caller for row in (*OWN, *KEYS))


def test_every_section_of_the_port_is_read_and_changed() -> None:
    used = {(row.method, row.path.rpartition("/")[2]) for row in ALSO_USED}
    assert {section.value for section in Section} == set(expectations.SECTIONS)
    assert {(method, section.value) for method in ("GET", "PATCH") for section in Section} <= used


def test_sub_resources_are_literal_and_belong_to_one_of_the_eleven() -> None:
    parts = [(row.name, part) for row in OWN for part, _ in row.parts]
    assert all(part.startswith(f"{name}/") and "{" not in part for name, part in parts)
    assert own("inspections/events") == "/v0/management/poolkeeper/inspections/events"
    assert own("info/session", "pk") == "/v0/management/pk/info/session"


def test_no_path_of_our_own_hides_one_of_the_gateway() -> None:
    ours = {own(name) for row in OWN for name in (row.name, *(part for part, _ in row.parts))}
    assert not ours & {endpoint.path for endpoint in (*CONTRACT, *ALSO_USED)}


def test_a_management_path_that_is_in_no_table_does_not_exist() -> None:
    assert management("auth-files/models") == "/v0/management/auth-files/models"
    with pytest.raises(KeyError, match="in no table of the contract"):
        management("no-such-endpoint")


def test_a_path_that_is_not_in_the_table_does_not_exist() -> None:
    with pytest.raises(KeyError, match="no path of ours"):
        own("pool/everything")


def test_the_tables_import_nothing_but_types() -> None:
    tree = ast.parse(Path(inspect.getfile(expectations)).read_text(encoding="utf-8"))
    imports = [ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    assert imports == ["from typing import NamedTuple, Protocol"]


def test_rows_print_as_what_is_asked_for() -> None:
    assert repr(CONTRACT[0]) == "GET /v0/management/config"
    assert repr(OWN[0]) == "GET /v0/management/poolkeeper/info"
