from __future__ import annotations

from tools.mirrorkeeper.findings import Check, Finding, Report
from tools.mirrorkeeper.report import FORMATS

FINDING = Finding("MIR001", b"mirror/a,b:c.py", "50% changed\nand more", "python -m tools mirror sync", 7, ("detail",))
REPORT = Report.of("gates", [Check("mirror check", "compared")], [FINDING, Finding("MIR007", b"x", "line endings")])


def test_an_annotation_stands_at_its_line_with_everything_escaped() -> None:
    lines = FORMATS["github"](REPORT).splitlines()

    text = "50%25 changed%0Aand more%0Adetail%0Ahelp: python -m tools mirror sync"
    assert lines == [
        f"::error file=mirror/a%2Cb%3Ac.py,title=MIR001 modified,line=7::{text}",
        "::notice file=x,title=MIR007 line endings::line endings",
    ]


def test_of_more_than_github_shows_the_last_annotation_counts_the_rest() -> None:
    report = Report.of("gates", [], [Finding("MIR003", f"{at:02}".encode(), "gone") for at in range(25)])
    lines = FORMATS["github"](report).splitlines()

    assert len(lines) == 10
    assert lines[-1] == "::error title=gates::… and 16 more; the job's summary has all"


def test_ten_findings_are_all_annotated() -> None:
    report = Report.of("gates", [], [Finding("MIR003", f"{at:02}".encode(), "gone") for at in range(10)])

    assert FORMATS["github"](report).count("gone") == 10


def test_what_could_not_be_checked_is_an_error_of_its_own() -> None:
    report = Report.of("gates", [], [])._replace(unchecked=("mirror: no lock",))

    assert FORMATS["github"](report) == "::error title=gates%3A could not check::mirror: no lock\n"
    assert "**could not check** mirror: no lock" in FORMATS["markdown"](report)


def test_markdown_is_a_table_that_no_text_can_break() -> None:
    odd = Finding("MIR001", b"a|`b`.py", "has | and <b> and\nlines", "do *it*")
    rows = FORMATS["markdown"](Report.of("gates", [], [odd])).splitlines()

    assert rows[0] == "### gates: 1 found"
    assert rows[-1] == "| MIR001 modified | `a\\|'b'.py` | has \\| and \\<b\\> and lines | do \\*it\\* |"


def test_a_clean_report_says_so_and_how_many_notes_there_are() -> None:
    assert FORMATS["markdown"](Report.of("gates", [], [])).startswith("### gates: clean\n")
    notes = Report.of("gates", [], [Finding("MIR007", b"x", "line endings")])
    assert FORMATS["markdown"](notes).startswith("### gates: clean, 1 noted\n")


def test_a_summary_stays_below_what_github_takes() -> None:
    many = [Finding("MIR003", f"{at:06}".encode(), "gone " * 20) for at in range(20_000)]
    text = FORMATS["markdown"](Report.of("gates", [], many))

    assert len(text.encode()) < 1_048_576
    assert "more; `--output-format json` has all." in text.splitlines()[-1]
