from __future__ import annotations

from pathlib import Path

from tests.tools.mirrorkeeper.entry.sources import ENTRY, SOURCE, entry_fork, generated
from tools.mirrorkeeper.entry.generator import check_entry, write_entry
from tools.mirrorkeeper.system.files import DiskFiles


def test_a_missing_anchor_is_named_with_the_nearest_lines_and_nothing_is_written(tmp_path: Path) -> None:
    fork = entry_fork(tmp_path, SOURCE.replace('build( "world" )', 'build("world", 2)'))

    report = write_entry(fork.project, DiskFiles())
    (finding,) = report.findings
    assert (finding.code, report.status) == ("GEN002", 1)
    assert "'build' matches no statement" in finding.message
    assert finding.details[0] == 'nearest line 16: application = build("world", 2)   # odd spacing'
    assert finding.line == 16
    assert not (fork.root / "ours").exists()


def test_an_anchor_twice_is_named_with_its_count_and_both_lines(tmp_path: Path) -> None:
    twice = SOURCE.replace("    if application:", "    application = build('world')\n    if application:")
    fork = entry_fork(tmp_path, twice)

    (finding,) = check_entry(fork.project).findings
    assert finding.code == "GEN003"
    assert "'build' matches 2 statements, not exactly one" in finding.message
    assert [detail.split(":")[0] for detail in finding.details] == ["they stand in line 16", "they stand in line 17"]


def test_an_anchor_in_a_text_or_a_comment_does_not_count(tmp_path: Path) -> None:
    text = SOURCE.replace("# built here", "# application = build('world')")
    fork = entry_fork(tmp_path, text)

    assert write_entry(fork.project, DiskFiles()).findings == ()


def test_a_replaced_anchor_is_gone(tmp_path: Path) -> None:
    entry = ENTRY.replace(
        'statement = "return naming.serve(application)"',
        'statement = "return naming.serve(application)"\nreplacement = "return naming.serve(None)"',
    )
    fork = entry_fork(tmp_path, SOURCE, entry)
    write_entry(fork.project, DiskFiles())

    assert "        return naming.serve(None)\n" in generated(fork)
    assert "naming.serve(application)" not in generated(fork)


def test_an_insertion_that_is_not_python_is_found_before_anything_is_written(tmp_path: Path) -> None:
    fork = entry_fork(tmp_path, SOURCE, ENTRY.replace("= extend(application)", "= extend(application"))

    report = write_entry(fork.project, DiskFiles())
    assert [finding.code for finding in report.findings] == ["GEN004"]
    assert not (fork.root / "ours").exists()


def test_an_anchor_that_moved_to_another_function_is_named_with_both(tmp_path: Path) -> None:
    source = SOURCE.replace("main(", "prepare(")
    fork = entry_fork(tmp_path, source, ENTRY.replace('name = "build"', 'name = "build"\nfunction = "main"'))

    (finding,) = check_entry(fork.project).findings
    assert (finding.code, finding.line) == ("GEN006", 16)
    assert "'build' stands in prepare, not in main" in finding.message


def test_anchors_that_changed_places_are_found(tmp_path: Path) -> None:
    anchors = ENTRY.split("[[entry.anchors]]")
    swapped = "[[entry.anchors]]".join([anchors[0], anchors[2], anchors[1]])
    fork = entry_fork(tmp_path, SOURCE, swapped)

    (finding,) = check_entry(fork.project).findings
    assert finding.code == "GEN006"
    assert "'build' stands before 'serve', not after it" in finding.message
