from __future__ import annotations

import ast
import itertools
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.repository.tracked import ROOT
from tests.tools.mirrorkeeper.contract.tables import WORDS, M
from tools.mirrorkeeper.contract.expectations import read_expectations
from tools.mirrorkeeper.contract.literals import literal_findings
from tools.mirrorkeeper.findings import Finding
from tools.mirrorkeeper.project import Project


def found(text: str) -> list[Finding]:
    return list(literal_findings(ast.parse(text), "a.py", WORDS))


def codes(text: str) -> list[tuple[str, int]]:
    return [(one.code, one.line) for one in found(text)]


def test_a_path_written_out_in_the_code_is_found_and_one_in_a_docstring_is_not() -> None:
    text = (
        '"""Serves /v0/management/pk."""\n'
        f'A = "{M}/pk/info"\n'
        'B = f"/monitor/inspection/{A}"\n'
        'C = "/v0/managements"\n'
        'D = "see /v0/management"\n'
        '"""A constant."""\n'
    )

    assert codes(text) == [("CON012", 2), ("CON012", 3)]


@pytest.mark.parametrize(
    "expression",
    [
        '"/v0/" + "management/config"',
        '"/v0" + "/" + "management" + "/" + name',
        "f\"/v0/{'management'}/config\"",
        'f"{address}/v0/management/{name}"',
        '"/v0/%s/config" % "management"',
        '"%s/%s/%s" % ("/v0", "management", name)',
        '"{}/management/{}".format("/v0", name)',
        '"{root}/management".format(root="/v0")',
        '"/".join(["", "v0", "management", name])',
        '"/".join(("/v0", "management"))',
        'posixpath.join("/v0", "management", name)',
        'PurePosixPath("/v0") / "management" / name',
        'PurePosixPath("/v0", "management")',
        'b"/v0/management/config"',
        '"/v0-management/config".replace("-", "/")',
        'f"/v0_{name}".replace("_", "/management/")',
        'b"/v0/" + b"management"',
        'b"/v0/management".decode() + name',
        '"http://127.0.0.1:8317/v0/management/config"',
        'f"https://{host}:{port}/v0/management/config"',
        '"https://gateway.example/below/v0/management?x=1"',
        'f"https://{host}/healthz"',
        'urljoin(address, "v0/management/config")',
        '"../v0/management/"',
        '(root := "/v0/management/")',
        'MANAGEMENT + "/" + name',
        'f"{MANAGEMENT}/{name}"',
        'expectations.MANAGEMENT + "/config"',
        '"/v0%2Fmanagement/config"',
        '"http://127.0.0.1:8317/%76%30/management"',
    ],
)
def test_a_path_put_together_from_pieces_is_found_with_its_line(expression: str) -> None:
    assert codes(f"import x\n\npath = {expression}\n") == [("CON012", 3)]


def test_pieces_under_names_of_the_module_are_found() -> None:
    text = '_ROOT = "/v0"\n_PART: Final = "management"\n\ndef path(name):\n    return f"{_ROOT}/{_PART}/{name}"\n'

    (finding,) = found(text)
    assert (finding.code, finding.line, finding.path) == ("CON012", 5, b"a.py")
    assert finding.message == "puts together the path '/v0/management/…'"


def test_a_path_that_a_name_is_filled_up_to_is_found() -> None:
    text = 'def path():\n    base = "/v0"\n    base += "/management"\n    return base + "/config"\n'

    assert codes(text) == [("CON012", 4)]


def test_a_private_function_of_the_tables_is_found_where_it_is_imported() -> None:
    text = "from tables import management\nfrom tables import _below as below\n"

    assert codes(text) == [("CON012", 2)]


def test_a_text_where_a_function_of_the_tables_wants_a_member_of_another_one_is_found() -> None:
    assert codes('section_path("no-such")\nsection_path(section)\n') == [("CON015", 1)]


@pytest.mark.parametrize(
    "expression",
    [
        'f"{address}{PAGE}"',
        'path == MANAGEMENT or path.startswith(f"{MANAGEMENT}/")',
        'f"{PAGE}?run={number}"',
        'management("config")',
        "management(section.value)",
        '"application/" + "json"',
        '"/v1/" + "models"',
        '"healthz"',
        'counts["management"]',
        'f"see {MANAGEMENT} for more"',
        '"%d of %d" % (1, 2)',
        '"{0!r}".format(MANAGEMENT)',
        '"a { brace".format(1)',
    ],
)
def test_a_path_taken_from_the_tables_is_no_finding(expression: str) -> None:
    assert (
        codes(f"from adapter.contract.expectations import MANAGEMENT, PAGE, management\n\nvalue = {expression}\n") == []
    )


@pytest.mark.parametrize("call", ['management("no-such-endpoint")', 'management("no-such-" + "endpoint")'])
def test_a_name_that_no_table_has_is_found(call: str) -> None:
    (finding,) = found(f"_PATH = {call}\n")

    assert (finding.code, finding.line) == ("CON015", 1)
    assert finding.message == "asks for the path 'no-such-endpoint', which is in no table"


@pytest.mark.parametrize(
    "expression",
    [
        'management("config") + "/secret-things"',
        "f\"{management('config')}/secret-things\"",
        'f"{address}{management(name)}/more"',
    ],
)
def test_a_path_below_a_row_is_found(expression: str) -> None:
    assert codes(f"_PATH = {expression}\n") == [("CON012", 1)]


@pytest.mark.parametrize("expression", ['management("config") + "?name=a"', "f\"{management('config')}?{query}\""])
def test_a_query_behind_a_row_is_no_other_path(expression: str) -> None:
    assert codes(f"_PATH = {expression}\n") == []


@pytest.mark.parametrize(
    "text",
    [
        'management(name="no-such-endpoint")',
        'from tables import management as m\nm("no-such-endpoint")',
    ],
)
def test_a_renamed_or_named_question_for_an_unknown_row_is_found(text: str) -> None:
    assert [code for code, _ in codes(text)] == ["CON015"]


@given(st.lists(st.integers(1, len(M) - 1), unique=True).map(sorted))
def test_no_cut_through_a_path_hides_it(cuts: list[int]) -> None:
    edges = [0, *cuts, len(M)]
    pieces = [M[start:end] for start, end in itertools.pairwise(edges)]

    assert codes(f"path = {' + '.join(map(repr, pieces))} + name") == [("CON012", 1)]
    assert codes(f"path = ''.join({[*pieces, '/x']!r})") == [("CON012", 1)]


@pytest.mark.parametrize("module", ["adapter/management/switching/reloads.py", "adapter/management/calling.py"])
def test_an_unlisted_name_planted_in_the_project_is_found(module: str) -> None:
    words = read_expectations(Project.at(ROOT), "adapter/contract/expectations.py").words
    text = Path(ROOT, module).read_text(encoding="utf-8")
    planted = text.replace('management("', 'management("no-such-')

    assert list(literal_findings(ast.parse(text), module, words)) == []
    findings = list(literal_findings(ast.parse(planted), module, words))
    assert {(one.code, one.path) for one in findings} == {("CON015", module.encode())}


@pytest.mark.parametrize(
    "text",
    [
        'Request("PUT", management("config"))',
        '_CONFIG: Final = management("config")\nclient.write("PUT", _CONFIG, body)',
        'METHOD = "DELETE"\nRequest(METHOD, management("config"))',
        'self._client.post(management("config"))',
        'service.client.get(service.paths.part("pool/status"))',
        '_PART = "pool"\nservice.client.delete(service.paths.part(_PART + "/status"))',
    ],
)
def test_a_method_that_no_row_of_its_path_has_is_found(text: str) -> None:
    assert codes(text) == [("CON015", text.count("\n") + 1)]


@pytest.mark.parametrize(
    "text",
    [
        'Request("GET", management("config"))',
        'client.fetch(management("config"))',
        'TEXTS.pop(management("config"))',
        'service.client.post(service.paths.part("pool/status"))',
        'Request(method, management("config"))',
    ],
)
def test_a_method_of_its_row_is_fine(text: str) -> None:
    assert codes(text) == []


@pytest.mark.parametrize(
    "text",
    [
        'for n in ("management",):\n    get("/v0/" + n)',
        'x = ["/v0/" + n for n in ("ours", "management")]',
        'x = {f"/v0/{n}/config" for n in ["management"]}',
        'PARTS = ("a", "management")\nx = list("/v0/%s" % n for n in PARTS)',
        'x = ["/v0/" + n + "/" + name for n in ("management",)]',
    ],
)
def test_a_path_from_a_loop_over_literals_is_found(text: str) -> None:
    assert [code for code, _ in codes(text)] == ["CON012"]


@pytest.mark.parametrize(
    "text",
    [
        'x = ["/v1/" + n for n in ("management",)]',
        'x = ["/v0/" + n for n in ("ours",)]',
        'x = ["/v0/" + n for n in names]',
        'for n in ("management",):\n    n = other(n)\n    get("/v0/" + n)',
    ],
)
def test_another_text_from_a_loop_is_none(text: str) -> None:
    assert codes(text) == []
