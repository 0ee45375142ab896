from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.repository.tracked import ROOT
from tests.tools.mirrorkeeper.contract.gosource.trees import GO_MOD, HEAD
from tests.tools.mirrorkeeper.contract.tables import TABLES, M, surface
from tests.tools.mirrorkeeper.repositories import Upstream
from tools.mirrorkeeper.commands.group import build_cli
from tools.mirrorkeeper.contract.history import OfferedRelease, history_report
from tools.mirrorkeeper.contract.surface import Surface
from tools.mirrorkeeper.errors import ToolError

CONFIG = ("GET", f"{M}/config")


def said(*releases: OfferedRelease) -> dict[str, str]:
    return {check.name: check.summary for check in history_report(releases, TABLES).checks}


def test_each_row_says_in_which_releases_it_exists() -> None:
    told = said(
        OfferedRelease("v1", surface(without=(CONFIG,))),
        OfferedRelease("v2", surface()),
        OfferedRelease("v3", surface()),
        OfferedRelease("v4", surface(without=(CONFIG,))),
        OfferedRelease("v5", surface()),
    )
    assert told[f"contract GET {M}/config"] == "v2 to v3, v5"
    assert told["key proxy-url"] == "in all, v1 to v5"
    assert told[f"in use besides POST {M}/api-call"] == "in all, v1 to v5"


def test_the_newest_whole_release_and_the_first_that_breaks_a_row_are_named() -> None:
    releases = [
        OfferedRelease("v1", surface()),
        OfferedRelease("v2", surface()),
        OfferedRelease("v3", surface(without=(CONFIG,))),
    ]
    report = history_report(releases, TABLES)

    told = {check.name: check.summary for check in report.checks}
    assert told["newest"] == "v2 has every row of the contract; v1 was the first that had"
    assert told["first that breaks"] == "v3"
    assert [(one.code, one.shown_path) for one in report.findings] == [("CON004", "v3")]


def test_while_nothing_breaks_there_is_no_finding() -> None:
    report = history_report([OfferedRelease("v1", surface(without=(CONFIG,))), OfferedRelease("v2", surface())], TABLES)

    assert report.status == 0
    assert report.checks[-1].summary == "none so far"


def test_a_release_nothing_could_be_read_from_is_named_and_does_not_count() -> None:
    told = said(OfferedRelease("v1", surface()), OfferedRelease("v2", Surface()), OfferedRelease("v3", surface()))

    assert told["not judged"] == "nothing could be read from v2"
    assert told[f"contract GET {M}/config"] == "in all, v1 to v3"


def stock(folder: Path) -> Upstream:
    """A gateway in Go that has the whole contract in v1.2.0, v1.10.0 takes a route away."""
    tables = (ROOT / "adapter/contract/expectations.py").read_text(encoding="utf-8")
    names: dict[str, object] = {}
    exec(compile(tables, "expectations.py", "exec"), names)  # noqa: S102 - the project's own table of data
    rows = [*names["CONTRACT"], *names["ALSO_USED"]]  # type: ignore[misc] # a table without types
    lines = [f'\te.{row.method}("{row.path}", h)' for row in rows]
    config = (
        "package config\n\ntype Config struct {\n"
        '\tProxy string `yaml:"proxy-url"`\n'
        '\tPlugins struct { Dir string `yaml:"dir"`; Configs map[string]int `yaml:"configs"` } `yaml:"plugins"`\n'
        '\tRemote struct { S string `yaml:"secret-key"`; A bool `yaml:"allow-remote"` } `yaml:"remote-management"`\n}\n'
    )

    def tree(chosen: list[str]) -> dict[str, bytes | None]:
        routes = HEAD + "func routes(e *gin.Engine) {\n" + "\n".join(chosen) + "\n}\n"
        return {"go.mod": GO_MOD, "api/routes.go": routes.encode(), "internal/config/c.go": config.encode()}

    upstream = Upstream(folder)
    upstream.commit(tree(lines), tag="v1.2.0")
    upstream.commit(tree([line for line in lines if "usage-queue" not in line]), tag="v1.10.0")
    return upstream


def tools(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(build_cli(), ["-C", str(ROOT), *arguments])
    if isinstance(result.exception, ToolError):
        raise result.exception
    return result.exit_code, result.stdout


def test_the_command_judges_a_foreign_repository_release_by_release(tmp_path: Path) -> None:
    stock(tmp_path / "stock")
    place = str(tmp_path / "stock")

    status, text = tools("contract", "--go-source", place, "--ref", "v1.2.0")
    assert status == 0
    assert text.splitlines()[-1].startswith("contract --go-source: clean (")
    assert "is conditional: nothing calls routes" in text

    status, text = tools("contract", "--go-source", place, "--output-format", "json")
    assert status == 1
    assert [one["message"].split(";")[0] for one in json.loads(text)["findings"] if one["severity"] == "error"] == [
        "GET /v0/management/usage-queue is gone"
    ]

    status, text = tools("contract", "--go-source", place, "--history", "v1.*")
    assert status == 1
    assert "newest: v1.2.0 has every row of the contract" in text
    assert "first that breaks: v1.10.0" in text


def test_what_cannot_be_read_is_told_in_one_line(tmp_path: Path) -> None:
    stock(tmp_path / "stock")
    for arguments in (["--ref", "v9"], ["--history", "v9.*"]):
        with pytest.raises(ToolError, match="v9"):
            tools("contract", "--go-source", str(tmp_path / "stock"), *arguments)
    with pytest.raises(ToolError, match="no git repository"):
        tools("contract", "--go-source", str(tmp_path / "nowhere"))
    assert tools("contract", "--ref", "v1")[0] == 2
