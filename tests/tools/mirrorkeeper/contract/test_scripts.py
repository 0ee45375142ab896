from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tools.mirrorkeeper.contract.tables import WORDS
from tools.mirrorkeeper.contract.scripts import page_findings, script_findings


def codes(text: str) -> list[tuple[str, int]]:
    return [(one.code, one.line) for one in script_findings(text, "page.js", WORDS)]


@pytest.mark.parametrize(
    "expression",
    [
        '"/v0/management/config"',
        "'../v0/management/'",
        "`../v0/management/${prefix}/`",
        "`https://${host}/v0/management/x`",
        '"/v0/" + "management"',
        '"/v0" + "/" + "management" + "/" + name',
        '"/v0".concat("/management")',
        '["", "v0", "management"].join("/")',
        '"/v0_management/x".replace("_", "/")',
        '"v0.management".replaceAll(".", "/")',
        '"\\x2fv0/management"',
        'base + "/v0/management"',
    ],
)
def test_a_path_in_a_script_is_found_with_its_line(expression: str) -> None:
    assert codes(f"// a comment\nconst quote = /[\"']/;\nfetch({expression});\n") == [("CON012", 3)]


def test_pieces_under_constant_names_are_found() -> None:
    assert codes('const root = "/v0";\nfetch(`${root}/management/x`);\n') == [("CON012", 2)]
    assert codes('const root = "/v0";\nfetch(root + "/management");\n') == [("CON012", 2)]


@pytest.mark.parametrize(
    "expression",
    ['client.get("pool/statuses")', 'client.post("pols/status")', 'send("POST", "info/sessions")', "get(`pool/x${y}`)"],
)
def test_a_name_of_an_own_path_that_no_row_has_is_found(expression: str) -> None:
    assert codes(f"await {expression};\n") == [("CON015", 1)]


@pytest.mark.parametrize(
    "text",
    [
        'import { a } from "./pool/model.js";',
        'client.post("pool/status"); client.get("pool"); client.delete("info/session");',
        "client.post(`pool/${command}`);",
        'headers["Content-Type"] = "application/json";',
        "/* see /v0/management/config */ const a = 1; // '/v0/management'",
        "const half = total / 2; const text = 'a/b'; const rest = 1 / 2;",
        'parameters.get("key");',
    ],
)
def test_everything_else_is_no_finding(text: str) -> None:
    assert codes(text) == []


@given(st.text())
def test_any_text_is_read_to_its_end(text: str) -> None:
    codes(text)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ('client.get("pool/status")', "sends GET to pool/status, which is in the tables with POST"),
        ("client.delete('pool?x=1')", "sends DELETE to pool, which is in the tables with GET"),
    ],
)
def test_a_request_with_a_method_that_no_row_has_is_found(call: str, message: str) -> None:
    assert [(one.code, one.message) for one in script_findings(call, "page.js", WORDS)] == [("CON015", message)]


@pytest.mark.parametrize(
    "element",
    [
        '<a href="/v0/management/config">',
        "<script src = '../v0/management/x.js'>",
        "<form action=/healthz>",
        '<a class="x" href="/v0&#47;management">',
    ],
)
def test_an_address_in_a_page_is_found_with_its_line(element: str) -> None:
    found = page_findings(f"<p>\n{element}\n", "index.html", WORDS)

    assert [(one.code, one.line) for one in found] == [("CON012", 2)]


def test_a_path_in_a_script_that_stands_in_a_page_is_found_with_its_line() -> None:
    found = page_findings('<p>\n<script type="module">\nfetch("/v0/management/config")\n</script>\n', "a.html", WORDS)

    assert [(one.code, one.line) for one in found] == [("CON012", 3)]


def test_relative_addresses_and_texts_of_a_page_are_fine() -> None:
    text = '<link href="static/icon.svg"><meta content="../v0/management/x/"><p>See /v0/management</p>'

    assert list(page_findings(text, "index.html", WORDS)) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('fetch(`/v0/${"management"}/x`)', 1),
        ("const part = 'manage';\nfetch(`/v0/${part + \"ment\"}/x`)", 1),
        ("fetch(`/v0/${ `management` }`)", 1),
        ('fetch(`/v0/${["manage", "ment"].join("")}`)', 1),
        ('fetch(`/v1/${"management"}/x`)', 0),
        ('fetch(`/v0/${ours("management")}/x`)', 0),
        ("fetch(`/v0/${}/x`)", 0),
    ],
)
def test_texts_within_a_template_are_a_part_of_it(text: str, found: int) -> None:
    assert [code for code, _ in codes(text)] == ["CON012"] * found
