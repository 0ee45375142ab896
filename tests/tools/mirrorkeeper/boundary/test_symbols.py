from __future__ import annotations

import ast

import pytest

from tools.mirrorkeeper.boundary.package_names import PackageNames
from tools.mirrorkeeper.boundary.symbols import symbols_used

MODULES = {"gateway", "gateway.internal", "gateway.internal.operations", "gateway.internal.operations.listing"}


NAMES = PackageNames("gateway", ("mirror.src",))


def used(text: str) -> list[str]:
    return [str(symbol) for symbol, _ in symbols_used(ast.parse(text), NAMES, MODULES.__contains__)]


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


@pytest.mark.parametrize(
    "text",
    [
        "import mirror.src.gateway.internal\nmirror.src.gateway.internal.operations.CHOICE",
        "import mirror.src.gateway.internal.operations as o\no.CHOICE",
        "from mirror.src.gateway.internal import operations\noperations.CHOICE",
        "from mirror.src import gateway\ngateway.internal.operations.CHOICE",
        "from mirror.src.gateway.internal.operations import CHOICE",
    ],
)
def test_names_taken_by_the_path_of_the_mirrored_folder_count_the_same(text: str) -> None:
    assert used(text) == ["gateway.internal.operations.CHOICE"]


@pytest.mark.parametrize("taken", ["getattr(operations, 'CHOICE')", "getattr(operations, 'CHOICE', None)()"])
def test_a_name_taken_by_getattr_counts(taken: str) -> None:
    assert used(f"from gateway.internal import operations\n{taken}") == ["gateway.internal.operations.CHOICE"]


def test_a_module_taken_by_getattr_is_no_name() -> None:
    assert used("from gateway.internal import operations\ngetattr(operations, 'listing')") == []


@pytest.mark.parametrize(
    "text",
    [
        "import gateway.internal.operations as o\ndef f():\n    gateway = o\n    return gateway.CHOICE",
        "import gateway\noperations = gateway.internal.operations\noperations.CHOICE",
        "import importlib\nimportlib.import_module('gateway.internal.operations').CHOICE",
        "import importlib\no = importlib.import_module('gateway.internal')\no.operations.CHOICE()",
        "getattr(import_module('gateway.internal.operations'), 'CHOICE')",
        "__import__('gateway.internal').internal.operations.CHOICE",
        "__import__('gateway.internal', fromlist=['operations']).operations.CHOICE",
    ],
)
def test_a_module_that_is_given_another_name_is_followed(text: str) -> None:
    assert used(text) == ["gateway.internal.operations.CHOICE"]


def test_modules_of_others_and_other_calls_do_not_count() -> None:
    assert used("import_module('json').dumps\nload('gateway.internal').operations\nimport_module(name).x") == []


def test_a_name_that_holds_other_things_as_well_is_not_followed() -> None:
    assert used("import gateway.internal as o\nname = o\nname = object()\nname.CHOICE") == []
