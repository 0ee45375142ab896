"""SARIF and JUnit, read back as their consumers read them."""

from __future__ import annotations

import json
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.mirrorkeeper.findings import CODES, Check, Finding, Report
from tools.mirrorkeeper.report import FORMATS

FOUND = Report.of(
    "gates",
    [Check("mirror", "compared <all> & more")],
    [
        Finding("MIR001", b"up/a b\xff.py", 'is "changed"', "mirror sync --discard", 7, ("- <old>", "+ new")),
        Finding("MIR010", b"up/build", "is ignored"),
    ],
)._replace(unchecked=("origin: no network",))
TEXTS = st.text(max_size=20)


def test_sarif_has_a_rule_for_each_code_and_a_result_for_each_finding() -> None:
    (run,) = json.loads(FORMATS["sarif"](FOUND))["runs"]
    first, second = run["results"]

    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["MIR001", "MIR010"]
    assert [(one["ruleId"], one["ruleIndex"], one["level"]) for one in (first, second)] == [
        ("MIR001", 0, "error"),
        ("MIR010", 1, "note"),
    ]
    assert first["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "up/a%20b%FF.py"},
        "region": {"startLine": 7},
    }
    assert first["message"]["text"].splitlines()[-1] == "help: mirror sync --discard"
    assert run["invocations"][0]["executionSuccessful"] is False
    assert run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"] == "origin: no network"


def test_junit_counts_failures_and_errors_apart() -> None:
    suite = ET.fromstring(FORMATS["junit"](FOUND))  # noqa: S314 - written here

    assert {name: suite.get(name) for name in ("name", "tests", "failures", "errors")} == {
        "name": "gates",
        "tests": "4",
        "failures": "1",
        "errors": "1",
    }
    assert [case.get("name") for case in suite if case.find("failure") is not None] == [r"up/a b\xff.py:7"]


@pytest.mark.parametrize("name", ["sarif", "junit"])
@given(st.builds(Finding, st.sampled_from(sorted(CODES)), st.binary(max_size=20), TEXTS, TEXTS, st.integers(0, 9)))
def test_every_finding_is_read_back(name: str, finding: Finding) -> None:
    written = FORMATS[name](Report.of("x", [], [finding]))

    if name == "sarif":
        assert len(json.loads(written)["runs"][0]["results"]) == 1
    else:
        assert len(ET.fromstring(written)) == 1  # noqa: S314 - written here
