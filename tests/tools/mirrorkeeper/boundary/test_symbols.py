from __future__ import annotations

import ast

from tools.mirrorkeeper.boundary.symbols import symbols_used

MODULES = {"gateway", "gateway.internal", "gateway.internal.operations", "gateway.internal.operations.listing"}


def used(text: str) -> list[str]:
    return [str(symbol) for symbol, _ in symbols_used(ast.parse(text), "gateway", MODULES.__contains__)]


def test_a_name_taken_from_a_module_counts() -> None:
    assert used("from gateway.internal.operations.listing import list_entries as listed") == [
        "gateway.internal.operations.listing.list_entries"
    ]


def test_of_a_module_taken_as_a_whole_its_attributes_count() -> None:
    text = "from gateway.internal.operations import listing as l\nl.list_entries(l.Entry.kind)"

    assert sorted(used(text)) == [
        "gateway.internal.operations.listing.Entry",
        "gateway.internal.operations.listing.list_entries",
    ]


def test_a_plain_import_is_followed_through_its_packages() -> None:
    assert used("import gateway.internal.operations.listing\ngateway.internal.operations.listing.list_entries()") == [
        "gateway.internal.operations.listing.list_entries"
    ]
    assert used("import gateway\ngateway.__version__") == ["gateway.__version__"]


def test_other_packages_do_not_count() -> None:
    assert used("from os import path\nimport json\njson.dumps(path)") == []
