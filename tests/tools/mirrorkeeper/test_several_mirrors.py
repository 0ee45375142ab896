"""Several mirrors in one project, and mirrors of a part of an upstream."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.repositories import GUARD_LINE, Fork, Upstream, contents
from tools.mirrorkeeper.cli import main
from tools.mirrorkeeper.gates import projects_of, run_all_gates

pytestmark = pytest.mark.slow
SECOND = "mirror/plugin.toml"


@pytest.fixture
def both(fork: Fork, tmp_path: Path) -> Fork:
    """A project with two mirrors, the second of a part of its upstream."""
    files = {
        "pkg/a.py": b"a\n",
        "pkg/deep/b.py": b"b\n",
        "pkg/doc/c.md": b"c\n",
        "other/d.py": b"d\n",
        "top.py": b"t\n",
    }
    Upstream(tmp_path / "plugin").commit(files, tag="p1.0.0")
    declare(fork, 'include = ["pkg"]\nexclude = ["pkg/doc"]\n')
    text = fork.project.declaration_path.read_text(encoding="utf-8")
    fork.project.declaration_path.write_text(f'others = ["{SECOND}"]\n{text}', encoding="utf-8")
    assert main(["-C", str(fork.root), "--config", SECOND, "mirror", "sync", "p1.0.0"]) == 0
    fork.commit()
    return fork


def declare(fork: Fork, more: str, path: str = "mirror/plugin") -> None:
    text = f'schema = 1\nurl = "../plugin"\ntrack = "p*"\npath = "{path}"\n{more}'
    (fork.root / SECOND).write_text(text, encoding="utf-8")
    guards = GUARD_LINE + GUARD_LINE.replace("mirror/gateway", path)
    (fork.root / ".gitattributes").write_text(guards, encoding="utf-8")


def test_only_included_paths_are_mirrored_and_the_whole_is_proven(both: Fork) -> None:
    assert set(contents(both.root / "mirror/plugin")) == {"pkg/a.py", "pkg/deep/b.py"}
    words = ("-C", str(both.root), "--config", SECOND, "mirror", "verify", "--prove", "--bytes", "--strict")
    assert main(words) == 0


def test_the_gates_judge_every_mirror_and_name_its_declaration(both: Fork) -> None:
    report = run_all_gates(both.project, ("mirror", "patches"))
    assert report.status == 0
    assert [check.name for check in report.checks] == [
        "mirror/upstream.toml: mirror check",
        "mirror/upstream.toml: patches",
        f"{SECOND}: mirror check",
        f"{SECOND}: patches",
    ]

    (both.root / "mirror/plugin/pkg/a.py").write_bytes(b"changed\n")
    (both.mirror / "README.md").write_bytes(b"changed\n")
    found = run_all_gates(both.project, ("mirror",)).findings
    assert [(one.code, one.shown_path) for one in found] == [
        ("MIR001", "mirror/gateway/README.md"),
        ("MIR001", "mirror/plugin/pkg/a.py"),
    ]


def test_a_gate_that_no_declaration_has_a_table_for_could_not_check(both: Fork) -> None:
    report = run_all_gates(both.project, ("entry",))

    assert report.unchecked == ("entry: no declaration has a table for it",)


def test_a_narrower_list_is_a_finding_until_the_next_sync(both: Fork) -> None:
    declare(both, 'include = ["pkg", "top.py"]\nexclude = ["pkg/doc"]\n')
    words = ["-C", str(both.root), "--config", SECOND, "mirror"]

    assert main([*words, "verify"]) == 1
    assert main([*words, "sync"]) == 0
    assert "top.py" in contents(both.root / "mirror/plugin")
    assert main([*words, "verify", "--prove"]) == 0


def test_included_patterns_reach_through_folders(both: Fork) -> None:
    declare(both, 'include = ["*/deep/*.py"]\n')

    assert main(["-C", str(both.root), "--config", SECOND, "mirror", "sync"]) == 0
    assert set(contents(both.root / "mirror/plugin")) == {"pkg/deep/b.py"}


OVERLAPS = [
    ("", "mirror/gateway/src", "mirrors into mirror/gateway/src"),
    ("", "mirror/gateway", "mirrors into mirror/gateway"),
    ('[patches]\nfolder = "plugin-patches"\n', "patches", "has its patches in patches"),
    ('[patches]\nfolder = "mirror/gateway/src"\n', "mirror/plugin", "has its patches in mirror/gateway/src"),
]


@pytest.mark.parametrize(
    ("more", "path", "text"),
    [*OVERLAPS, ('others = ["mirror/third.toml"]\n', "mirror/plugin", "names `others` itself")],
)
def test_mirrors_stay_apart(both: Fork, more: str, path: str, text: str) -> None:
    declare(both, more, path)

    report = run_all_gates(both.project, ("mirror",))
    assert report.status == 2
    assert text in report.unchecked[0]


@pytest.mark.parametrize(("more", "path", "text"), OVERLAPS)
def test_no_command_writes_into_the_folder_of_another_mirror(
    both: Fork, more: str, path: str, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (both.root / "patches").mkdir()
    (both.root / "patches/ours.patch").write_bytes(b"ours\n")
    declare(both, more, path)
    before = contents(both.root / "patches"), contents(both.mirror)
    capsys.readouterr()

    for words in (("mirror", "sync", "--discard"), ("patch", "refresh")):
        assert main(["-C", str(both.root), "--config", SECOND, *words]) == 2
        assert text in capsys.readouterr().err
    assert (contents(both.root / "patches"), contents(both.mirror)) == before


def test_two_mirrors_that_overlap_keep_only_their_own_gates_from_running(both: Fork) -> None:
    third = 'schema = 1\nurl = "../plugin"\ntrack = "p*"\npath = "mirror/plugin/pkg"\n'
    (both.root / "mirror/third.toml").write_text(third, encoding="utf-8")
    text = both.project.declaration_path.read_text(encoding="utf-8")
    named = text.replace(f'["{SECOND}"]', f'["{SECOND}", "mirror/third.toml"]')
    both.project.declaration_path.write_text(named, encoding="utf-8")
    (both.mirror / "README.md").write_bytes(b"changed\n")

    report = run_all_gates(both.project, ("mirror",))
    assert [one.code for one in report.findings] == ["MIR001"]
    assert len(report.unchecked) == 1
    assert projects_of(both.project) == (both.project,)


def test_twins_by_case_overlap_where_the_file_system_folds_case(
    both: Fork, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    declare(both, "", "mirror/GATEWAY")
    assert run_all_gates(both.project, ("patches",)).unchecked == ()
    monkeypatch.setattr(Path, "samefile", lambda *_: True)

    assert main(["-C", str(both.root), "--config", SECOND, "mirror", "sync", "--discard"]) == 2
    assert "mirrors into mirror/GATEWAY, and mirror/upstream.toml into mirror/gateway" in capsys.readouterr().err
