"""Anchors under new conditions, code before them that leaves, and files that would be imported in the entry's place."""

from __future__ import annotations

import os
import py_compile
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.entry.sources import ENTRY, SOURCE, entry_fork
from tools.mirrorkeeper.entry.generator import check_entry, write_entry
from tools.mirrorkeeper.system.files import DiskFiles

BUILT = '    application = build( "world" )   # odd spacing\n'
INNER = BUILT.replace("    app", "        app", 1)


@pytest.mark.parametrize(
    ("new", "said"),
    [
        ("    if False:\n" + INNER, "`if False`"),
        ("    if argv:\n" + INNER + "    else:\n        application = None\n", "`if argv`"),
        ("    if argv:\n        application = None\n    else:\n" + INNER, "`unless argv`"),
        (
            "    if argv:\n        application = None\n    elif sys:\n" + INNER,
            "`unless argv` and `if sys`",
        ),
        ("    try:\n" + INNER + "    except OSError:\n        raise\n", "`try`"),
        ("    try:\n        pass\n    except OSError:\n" + INNER, "`except OSError`"),
        ("    for one in argv:\n" + INNER, "`for one in argv`"),
        ("    while argv:\n" + INNER, "`while argv`"),
        ("    with argv:\n" + INNER, "`with argv`"),
        ("    match argv:\n        case []:\n    " + INNER, "`case [] of argv`"),
    ],
)
def test_an_anchor_under_a_new_condition_is_a_finding(tmp_path: Path, new: str, said: str) -> None:
    fork = entry_fork(tmp_path, SOURCE.replace(BUILT, new))

    report = write_entry(fork.project, DiskFiles())
    (finding,) = report.findings
    assert (finding.code, report.status) == ("GEN006", 1)
    assert f"the anchor 'build' stands under {said}, and its `under` says no condition" in finding.message
    assert not (fork.root / "ours").exists()


def test_a_function_defined_under_a_condition_puts_its_anchors_under_it(tmp_path: Path) -> None:
    head, rest = SOURCE.split("def main")
    body, tail = rest.split("\n\n\nif __name__")
    nested = "if sys.argv:\n    def main" + body.replace("\n", "\n    ")
    fork = entry_fork(tmp_path, f"{head}{nested}\n\n\nif __name__{tail}")

    assert {one.code for one in check_entry(fork.project).findings} == {"GEN006"}


@pytest.mark.parametrize("leaving", ["return 0", "raise SystemExit"])
def test_an_anchor_behind_a_statement_that_always_leaves_is_a_finding(tmp_path: Path, leaving: str) -> None:
    fork = entry_fork(tmp_path, SOURCE.replace(BUILT, f"    {leaving}\n{BUILT}"))

    messages = [one.message for one in check_entry(fork.project).findings]
    assert any("is never reached: line 16 leaves before it" in one for one in messages)


def test_a_declared_condition_that_is_gone_is_a_finding(tmp_path: Path) -> None:
    fork = entry_fork(tmp_path, SOURCE.replace("    if application:\n", "    if True:\n"))

    (finding,) = check_entry(fork.project).findings
    assert "stands under `if True`, and its `under` says `if application`" in finding.message


@pytest.mark.parametrize(
    "name",
    [
        "_generated/__init__.py",
        "_generated/__init__.pyc",
        "_generated/__init__.abi3.so",
        "_generated.abi3.so",
        "_generated.cpython-311-x.so",
    ],
)
def test_a_package_or_library_that_would_win_the_import_is_a_finding(tmp_path: Path, name: str) -> None:
    fork = entry_fork(tmp_path, SOURCE)
    assert write_entry(fork.project, DiskFiles()).findings == ()
    path = fork.root / "ours" / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"")

    (finding,) = check_entry(fork.project).findings
    assert (finding.code, finding.shown_path) == ("GEN007", f"ours/{name.partition('/')[0]}")
    assert "is imported in place of ours/_generated.py" in finding.message


@pytest.mark.parametrize("name", ["_generated/page.html", "_generated/x.py"])
def test_a_folder_that_is_no_package_is_none_as_python_takes_the_module(tmp_path: Path, name: str) -> None:
    fork = entry_fork(tmp_path, SOURCE)
    write_entry(fork.project, DiskFiles())
    path = fork.root / "ours" / name
    path.parent.mkdir()
    path.write_bytes(b"")

    assert check_entry(fork.project).findings == ()
    command = [sys.executable, "-c", "import importlib.util as m; print(m.find_spec('ours._generated').origin)"]
    ran = subprocess.run(command, cwd=fork.root, check=True, capture_output=True, text=True)
    assert ran.stdout.endswith("ours/_generated.py\n")


def test_an_unchecked_cache_that_python_runs_in_its_place_is_a_finding_and_a_checked_one_is_not(tmp_path: Path) -> None:
    fork = entry_fork(tmp_path, SOURCE)
    write_entry(fork.project, DiskFiles())
    entry, evil = fork.root / "ours/_generated.py", fork.root / "evil.py"
    evil.write_text("print('evil')\n", encoding="utf-8")
    cache = entry.parent / f"__pycache__/_generated.{sys.implementation.cache_tag}.pyc"
    py_compile.compile(str(entry), str(cache), doraise=True)
    assert check_entry(fork.project).findings == ()

    py_compile.compile(str(evil), str(cache), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    command = [sys.executable, "-c", "import sys; sys.path.insert(0, 'ours'); import _generated"]
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    ran = subprocess.run(command, cwd=fork.root, env=plain, check=True, capture_output=True, text=True)
    assert ran.stdout == "evil\n"
    assert [one.code for one in check_entry(fork.project).findings] == ["GEN007"]


def test_the_anchors_of_the_tests_declare_their_condition() -> None:
    assert 'under = ["if application"]' in ENTRY


@pytest.mark.parametrize("call", ["sys.exit(0)", "os._exit(0)", "exit()"])
def test_an_anchor_behind_the_end_of_the_program_is_a_finding(tmp_path: Path, call: str) -> None:
    fork = entry_fork(tmp_path, SOURCE.replace(BUILT, f"    {call}\n{BUILT}"))

    findings = write_entry(fork.project, DiskFiles()).findings
    assert {one.code for one in findings} == {"GEN006"}
    assert all("is never reached" in one.message for one in findings)


LATER = "\n\nif __name__"


@pytest.mark.parametrize(
    "later",
    [
        "def main(argv=None):\n    return 0\n",
        "async def main(): ...\n",
        "class main: ...\n",
        "main = build\n",
        "main: object = build\n",
        "from .naming import greeting as main\n",
    ],
)
def test_a_later_definition_of_the_same_function_is_a_finding(tmp_path: Path, later: str) -> None:
    fork = entry_fork(tmp_path, SOURCE.replace(LATER, f"\n\n{later}{LATER}"))

    findings = check_entry(fork.project).findings
    assert {one.code for one in findings} == {"GEN006"}
    assert all("is never reached: line 22 defines main anew" in one.message for one in findings)


@pytest.mark.parametrize(
    "later", ["main = decorated(main)\n", "@main.register\ndef main(argv): ...\n", "def other():\n    main = 1\n"]
)
def test_what_keeps_the_function_is_none(tmp_path: Path, later: str) -> None:
    fork = entry_fork(tmp_path, SOURCE.replace(LATER, f"\n\n{later}{LATER}"))

    assert write_entry(fork.project, DiskFiles()).findings == ()


@pytest.mark.parametrize(
    "leaving",
    [
        "    while True:\n        pass\n",
        "    while 1:\n        for one in argv:\n            break\n",
        "    if argv:\n        return 1\n    else:\n        sys.exit(2)\n",
        "    if True:\n        return 1\n",
        "    assert False\n",
        "    with argv:\n        return 1\n",
        "    try:\n        return 1\n    finally:\n        pass\n",
        "    try:\n        pass\n    finally:\n        return 1\n",
        "    try:\n        return 1\n    except OSError:\n        raise\n",
        "    match argv:\n        case []:\n            return 1\n        case _:\n            return 2\n",
    ],
)
def test_an_anchor_behind_what_never_ends_is_a_finding(tmp_path: Path, leaving: str) -> None:
    fork = entry_fork(tmp_path, SOURCE.replace(BUILT, leaving + BUILT))

    messages = [one.message for one in check_entry(fork.project).findings]
    assert messages
    assert all("is never reached: line 16 leaves before it" in one for one in messages)


@pytest.mark.parametrize(
    "before",
    [
        "    while True:\n        if argv:\n            break\n",
        "    while True:\n        for one in argv:\n            pass\n        else:\n            break\n",
        "    while argv:\n        pass\n",
        "    if argv:\n        return 1\n",
        "    assert argv, False\n",
        "    if False:\n        return 1\n",
        "    try:\n        return 1\n    except OSError:\n        pass\n",
        "    match argv:\n        case []:\n            return 1\n",
        "    match argv:\n        case []:\n            return 1\n        case _ if argv:\n            return 2\n",
    ],
)
def test_an_anchor_behind_what_may_end_is_none(tmp_path: Path, before: str) -> None:
    fork = entry_fork(tmp_path, SOURCE.replace(BUILT, before + BUILT))

    assert write_entry(fork.project, DiskFiles()).findings == ()
