"""The description of the interface is generated, complete, and the same as the contract."""

from typing import Any

import pytest

from adapter.contract.expectations import FLEET, OWN, own
from extension.api.application import offered, resources
from extension.api.paths import Paths

METHODS = {"get", "post", "put", "patch", "delete"}


@pytest.fixture(scope="module")
def described() -> dict[str, Any]:
    return resources(Paths("poolkeeper"), "1.0").openapi()


def test_it_describes_exactly_the_paths_of_the_contract_that_are_served_now(described: dict[str, Any]) -> None:
    served = {(path, method.upper()) for path, item in described["paths"].items() for method in item.keys() & METHODS}
    promised = {
        (own(name), method)
        for parts in (*(((row.name, row.methods), *row.parts) for row in OWN), FLEET)
        for name, methods in parts
        for method in methods
    } | {(own(name), method) for name, methods in FLEET for method in methods}

    assert served == promised


def test_the_list_of_routes_holds_exactly_what_is_described(described: dict[str, Any]) -> None:
    routes = {(path, method.upper()) for path, item in described["paths"].items() for method in item.keys() & METHODS}

    assert {(path, method) for method, path in offered(Paths("poolkeeper"))} == routes


def test_every_operation_says_what_it_does_and_how_it_fails(described: dict[str, Any]) -> None:
    for item in described["paths"].values():
        for operation in item.values():
            assert operation["description"]
            assert operation["responses"]["default"]["content"]["application/json"]["schema"] == {
                "$ref": "#/components/schemas/ProblemView"
            }


def test_every_shape_is_explained_and_named_in_camel_case(described: dict[str, Any]) -> None:
    ours = {name: schema for name, schema in described["components"]["schemas"].items() if "HTTP" not in name}
    for name, schema in ours.items():
        if schema.get("type") == "object" and name != "ValidationError":
            assert schema["description"], name
            assert not [field for field in schema["properties"] if "_" in field], name


def test_the_paths_follow_the_configured_prefix() -> None:
    paths = Paths("keeper")

    assert paths.part("inspections/events") == "/v0/management/keeper/inspections/events"
    assert paths.contains("/v0/management/keeper")
    assert paths.contains("/v0/management/keeper/anything")
    assert not paths.contains("/v0/management/keepers")
