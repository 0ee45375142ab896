from __future__ import annotations

import json

import pytest

from tools.mirrorkeeper.findings import CODES, Check, Finding, Report, Severity
from tools.mirrorkeeper.report import FORMATS

FINDINGS = [
    Finding("MIR001", b"mirror/b", "is not the pinned file", "do this"),
    Finding("MIR010", b"mirror/a", "is ignored"),
    Finding("GEN002", b"mirror/a", "is lost", line=7, details=("nearest line 7: x",)),
]


def report(*findings: Finding) -> Report:
    return Report.of("gates", [Check("mirror check", "looked")], findings)


def test_people_see_path_code_message_and_what_to_do() -> None:
    assert FORMATS["text"](report(*FINDINGS)).splitlines() == [
        "mirror check: looked",
        "mirror/a: MIR010 note: is ignored",
        "mirror/a:7: GEN002 is lost",
        "    nearest line 7: x",
        "mirror/b: MIR001 is not the pinned file",
        "  help: do this",
        "gates: found 2 problems (1 note)",
    ]


def test_programs_get_the_same_bytes_whatever_the_order_of_finding() -> None:
    texts = {FORMATS["json"](report(*findings)) for findings in (FINDINGS, FINDINGS[::-1])}

    (text,) = texts
    data = json.loads(text)
    assert data["status"] == 1
    assert data["counts"] == {"error": 2, "note": 1}
    assert [one["code"] for one in data["findings"]] == ["MIR010", "GEN002", "MIR001"]


def test_people_see_twenty_of_a_kind_and_how_many_more_programs_see_all() -> None:
    many = report(*(Finding("MIR001", f"mirror/{number:03}".encode(), "changed") for number in range(53)))

    text = FORMATS["text"](many)
    assert text.count("MIR001 changed") == 20
    assert "and 33 more MIR001 (modified)" in text
    assert len(json.loads(FORMATS["json"](many))["findings"]) == 53


def test_names_that_would_spoil_a_terminal_are_shown_escaped_and_given_whole_to_programs() -> None:
    odd = Finding("MIR006", b"mirror/\xff\x1b[31m\n", "untracked")

    assert odd.shown_path == "mirror/\\xff\\x1b[31m\\n"
    assert odd.as_json()["path_base64"] == "bWlycm9yL/8bWzMxbQo="


@pytest.mark.parametrize(
    ("findings", "unchecked", "status"),
    [((), (), 0), (FINDINGS[1:2], (), 0), (FINDINGS[:1], (), 1), ((), ("mirror",), 2), (FINDINGS[:1], ("mirror",), 2)],
)
def test_the_exit_status_never_counts(findings: list[Finding], unchecked: tuple[str, ...], status: int) -> None:
    assert Report("gates", (), tuple(findings), unchecked).status == status


def test_every_code_is_filed_under_itself_and_says_what_it_means() -> None:
    assert all(key == code.code and code.meaning.endswith(".") for key, code in CODES.items())
    assert {code.severity for code in CODES.values()} == set(Severity)
