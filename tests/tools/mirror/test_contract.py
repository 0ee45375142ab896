"""Endpoints, keys and own paths in use, held against what is offered and mounted."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirror.checked_project import OFFERED, TABLES, change, make_project, surface, write
from tools.mirror.contract import ContractCheck, Surface, contract_findings, normal_path, read_tables
from tools.mirror.declaration import read_declaration
from tools.mirror.errors import ToolError
from tools.mirror.findings import Finding, Report

CONFIG, HEALTH = "GET /v0/management/config", "GET /healthz"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    make_project(tmp_path)
    return tmp_path


def report(root: Path, tree: Path | None = None) -> Report:
    with ContractCheck(read_declaration(root), tree) as check:
        return check.report()


def test_a_project_in_order_has_no_finding(root: Path) -> None:
    assert report(root) == Report(
        "contract",
        checks={
            "contract": "1 endpoint and 1 key held against 3 routes of mirror/gateway; 2 more endpoints in use; "
            "1 path of our own"
        },
    )


OFFERS = {
    "nothing": ([], "CON001", "not one route"),
    "base routes alone": ([HEALTH], "CON003", "1 route, but none below /v0/management"),
    "no health route": ([CONFIG], "CON002", "captured too early"),
    "no endpoint": ([HEALTH, "GET /v0/management/other"], "CON004", "GET /v0/management/config is gone; settings"),
    "another method": ([HEALTH, "PUT /v0/management/config"], "CON005", "it answers to PUT"),
    "an optional one with another method": ([HEALTH, CONFIG, "PUT /v0/management/plugins"], "CON007", "answers to PUT"),
    "a slash more": ([HEALTH, "GET /v0/management/config/"], "", ""),
}  # fmt: skip


@pytest.mark.parametrize("name", OFFERS)
def test_each_sentinel_and_each_loss_is_found_by_name(root: Path, name: str) -> None:
    routes, code, message = OFFERS[name]
    offered = Surface.of([(method, path) for method, path in map(str.split, routes)], ["proxy-url"])
    findings = list(contract_findings(offered, read_tables(read_declaration(root)), "gateway"))

    assert [finding.code for finding in findings] == ([code] if code else [])
    assert all(message in finding.message for finding in findings)


def test_a_removed_endpoint_lists_the_routes_beside_it(root: Path) -> None:
    write(root, "adapter/offered.py", OFFERED.replace('config"', 'configuration"'))

    (finding,) = report(root).findings
    assert finding.details == (
        "beside it: GET /v0/management/configuration",
        "beside it: PUT /v0/management/config.yaml",
    )


def test_a_key_that_is_gone_shows_the_nearest_ones(root: Path) -> None:
    change(root, "adapter/offered.py", "proxy-url", "proxy-uri")

    (finding,) = report(root).findings
    assert (finding.code, finding.details) == ("CON006", ("there is: proxy-uri",))


def test_a_registration_that_nothing_calls_is_found(root: Path) -> None:
    tables = read_tables(read_declaration(root))
    offered = Surface.of([("GET", "/healthz"), ("GET", "/v0/management/config")], ["proxy-url"])
    uncalled = Surface(offered.routes, offered.keys, {("GET", "/v0/management/config"): "register"})

    (finding,) = contract_findings(uncalled, tables, "gateway")
    assert finding.code == "CON016"
    assert "is registered by register, which nothing calls" in finding.message


def test_own_paths_are_compared_both_ways(root: Path) -> None:
    write(root, "adapter/mounted.py", surface("GET /v0/management/info", "GET /v0/management/more"))

    assert [(finding.code, finding.message.partition(" is ")[0]) for finding in report(root).findings] == [
        ("CON008", "POST /v0/management/info/session"),
        ("CON009", "GET /v0/management/more"),
    ]


def test_tables_with_another_number_of_rows_are_found(root: Path) -> None:
    change(root, "mirror/upstream.toml", "endpoints = 1", "endpoints = 2")

    assert [finding.message for finding in report(root).findings] == ["CONTRACT has 1 rows, 2 are declared"]


WRITTEN = {
    "a.py": 'x = "/v0/management/config"',
    "b.py": 'x = f"http://{host}/healthz"',
    "g.py": 'x = "http://localhost:80/healthz?x"',
    "c.py": 'x = "/v0/management" + name',
    "d.py": 'own("nowhere")',
    "e.js": "fetch(`/v0/management/config`)",
    "f.html": '<a href="/healthz">',
}
FINE = {
    "a.py": '"""Serves /v0/management/config."""\n# "/healthz"\nx = "/healthzy"',
    "b.py": 'own("info/session")\nx = "The part after `/v0/management/`."',
    "c.js": "// asks /v0/management/config",
    "d.html": '<meta content="../v0/management/x/">',
}


@pytest.mark.parametrize("name", WRITTEN)
def test_a_path_that_code_writes_out_is_found_with_its_line(root: Path, name: str) -> None:
    write(root, f"ours/{name}", f"\n{WRITTEN[name]}\n")

    assert [(finding.code, finding.path, finding.line) for finding in written(root)] == [("CON012", f"ours/{name}", 2)]


def test_descriptions_and_names_of_the_tables_are_fine(root: Path) -> None:
    for name, text in FINE.items():
        write(root, f"ours/{name}", f"{text}\n")
    write(root, "tests/a.py", WRITTEN["a.py"])

    assert written(root) == []


def written(root: Path) -> list[Finding]:
    with ContractCheck(read_declaration(root)) as check:
        return list(check._written_paths())


@pytest.mark.parametrize(("path", "normal"), [("/a/{id}/", "/a/{}"), ("/a/:id/b", "/a/{}/b"), ("/", "/")])
def test_parameters_are_compared_by_their_place(path: str, normal: str) -> None:
    assert normal_path(path) == normal


@pytest.mark.parametrize("text", ["raise SystemError('down')", "print('no JSON')", "print('{\"schema\": 2}')"])
def test_an_answer_that_cannot_be_read_is_no_empty_surface(root: Path, text: str) -> None:
    write(root, "adapter/offered.py", text)

    with pytest.raises(ToolError, match=r"adapter\.offered: "):
        report(root)


@pytest.mark.parametrize("text", ["1 / 0", "KEYS = ()", TABLES.replace("KEYS", "YEKS")])
def test_tables_that_cannot_be_read_could_not_be_checked(root: Path, text: str) -> None:
    write(root, "adapter/tables.py", text)

    with pytest.raises(ToolError, match=r"adapter/tables\.py"):
        report(root)


def test_another_tree_is_judged_in_place_of_the_mirrored_one(root: Path) -> None:
    write(root, "candidate/src/guarded/inner.py", "greeting = str")
    write(root, "candidate/src/guarded/routes.py", f"ROUTES = {[CONFIG.split(), HEALTH.split()]}")
    offered = 'import json\nfrom guarded.routes import ROUTES\nrows = [{"method": m, "path": p} for m, p in ROUTES]\n'
    write(
        root, "adapter/offered.py", offered + 'print(json.dumps({"schema": 1, "keys": ["proxy-url"], "routes": rows}))'
    )

    assert report(root, root / "candidate").status == 0
    with pytest.raises(ToolError, match="is no folder"):
        report(root, root / "nowhere")
