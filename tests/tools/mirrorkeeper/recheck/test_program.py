from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.recheck.stand_in import ODD_NAME, PROGRAM, Tree

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]
OLD = (1_000_000_000, 1_000_000_000)


def other_content(root: Path) -> None:
    (root / "one").write_bytes(b"content OF one")
    os.utime(root / "one", OLD)


def other_content_of_an_odd_name(root: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(root) + b"/" + ODD_NAME))
    path.write_bytes(path.read_bytes().swapcase())
    os.utime(path, OLD)


def equal_file(root: Path) -> None:
    shutil.copy2(root / "one", root.parent / "copy")
    (root.parent / "copy").rename(root / "one")


def other_target(root: Path) -> None:
    (root / "link").unlink()
    (root / "link").symlink_to("two")


def folder_as_link(root: Path) -> None:
    (root / "deep").rename(root.parent / "deep")
    (root / "deep").symlink_to(root.parent / "deep")


def file_for_folder(root: Path) -> None:
    (root / "empty").rmdir()
    (root / "empty").touch()


CHANGES: dict[str, Callable[[Path], object]] = {
    "other content of the same size and time": other_content,
    "other content under an odd name": other_content_of_an_odd_name,
    "more content": lambda root: (root / "deep/deeper/four").write_bytes(b"more"),
    "another mode": lambda root: (root / "two").chmod(0o755),
    "another mode of a folder": lambda root: (root / "empty").chmod(0o700),
    "another target of a link": other_target,
    "a new file": lambda root: (root / "deep/deeper/new").touch(),
    "a file removed": lambda root: (root / "deep/three").unlink(),
    "a file renamed": lambda root: (root / "one").rename(root / "another"),
    "an equal file in its place": equal_file,
    "a second name": lambda root: os.link(root / "one", root / "deep/one"),
    "an empty folder": lambda root: (root / "deep/none").mkdir(),
    "an empty folder removed": lambda root: (root / "empty").rmdir(),
    "a file for a folder": file_for_folder,
    "another pipe": lambda root: os.mkfifo(root / "deep/pipe"),
    "a pipe removed": lambda root: (root / "pipe").unlink(),
    "a folder as a link": folder_as_link,
    "nothing left": lambda root: root.rename(root.parent / "gone"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_an_answer_is_repeated_until_something_in_a_tree_changes(tree: Tree, change: Callable[[Path], object]) -> None:
    tree.tell(("tree", tree.root))
    assert not tree.ask(folder=tree.told).repeated
    tree.tell(("bytes", tree.root))
    assert not tree.ask("--bytes", folder=tree.told).repeated
    assert tree.ask(folder=tree.told).repeated
    assert tree.ask("--bytes", folder=tree.told).repeated

    change(tree.root)

    assert not tree.ask(folder=tree.told).repeated
    assert not tree.ask("--bytes", folder=tree.told).repeated


def test_an_entry_is_what_lies_there_and_what_it_leads_to(tree: Tree) -> None:
    tree.answered(("entry", tree.root / "link"))
    (tree.root / "two").write_bytes(b"beside it")
    assert tree.ask().repeated

    other_content(tree.root)

    assert not tree.ask().repeated


def test_an_entry_that_is_nothing_ends_the_answer_when_it_comes(tree: Tree) -> None:
    tree.answered(("entry", tree.root / "none"), ("entry", tree.root / "one/none"))
    (tree.root / "none").symlink_to("nowhere")

    assert not tree.ask().repeated


def test_what_was_absent_before_the_check_may_have_files_come_and_go_beside_it(tree: Tree) -> None:
    tree.tell(("absent", tree.root / "none"), ("entry", tree.root / "one"), more="touch more && rm more")
    assert not tree.ask().repeated
    assert tree.ask().repeated

    (tree.root / "none").touch()

    assert not tree.ask().repeated


def test_a_link_on_the_way_that_leads_elsewhere_ends_the_answer(tree: Tree) -> None:
    tree.answered(("entry", tree.root / "way/three"))
    (tree.root / "way").unlink()
    (tree.root / "way").symlink_to("twin")

    assert not tree.ask().repeated


@pytest.mark.parametrize("words", [("-Ca", "--config=b"), ("-C", "a", "--config", "b")])
def test_options_of_mirrorkeeper_go_before_the_words_of_the_check(tree: Tree, words: tuple[str, ...]) -> None:
    tree.tell(("tree", tree.root))

    assert tree.ask(*words, "--bytes").printed == f"ran: {' '.join(words)} mirror verify --bytes\n"


def test_help_names_the_program_and_then_the_options_of_the_check(tree: Tree) -> None:
    tree.tell(("tree", tree.root))
    shown = tree.ask("--help").printed

    assert shown.startswith("Usage: mirrorkeeper-verify ")
    assert shown.endswith("\n\nran: mirror verify --help\n")
    assert tree.ask("--version").printed == "ran: --version\n"


@pytest.mark.parametrize("kind", ["tree", "bytes"])
def test_a_ground_that_is_a_file_or_nothing_is_watched_as_well(tree: Tree, kind: str) -> None:
    tree.answered((kind, tree.root / "one"), (kind, tree.root / "none"))
    equal_file(tree.root)

    assert not tree.ask().repeated


@pytest.mark.parametrize("place", ["", "deep", "deep/deeper"])
def test_a_tree_without_links_keeps_no_answer_when_it_has_one(tree: Tree, place: str) -> None:
    folder = tree.root / "deep"
    tree.answered(("linkless", folder))
    (tree.root / place / "more").symlink_to(tree.root / "one")
    tree.ask()

    assert tree.ask().repeated == (place == "")

    (folder / "deeper/four").write_bytes(b"more")

    assert not tree.ask().repeated


def test_a_ground_that_cannot_be_looked_at_keeps_no_answer(tree: Tree) -> None:
    (tree.told / "loop").symlink_to("loop")
    tree.tell(("entry", tree.told / "loop"))

    assert [tree.ask().repeated, tree.ask().repeated] == [False, False]


def test_another_argument_folder_or_variable_is_another_question(tree: Tree) -> None:
    tree.answered()

    assert not tree.ask("--bytes").repeated
    assert not tree.ask(folder=tree.told).repeated
    for name in ("GIT_DIR", "PYTHONPATH", "HOME", "LC_ALL", "MIRRORKEEPER_X", "NO_COLOR"):
        for value in ("", "x"):
            assert not tree.ask(variables={name: value}).repeated, (name, value)
    assert tree.ask(variables={"SHLVL": "2"}).repeated


def test_a_process_that_may_read_less_asks_another_question(tree: Tree) -> None:
    if sys.platform != "linux" or os.geteuid() != 0 or shutil.which("setpriv") is None:
        pytest.skip("only root on Linux can give up rights")
    tree.answered()
    less = ("setpriv", "--bounding-set=-dac_override", "--inh-caps=-dac_override")

    assert not tree.ask(before=less).repeated
    assert tree.ask(before=less).repeated
    assert tree.ask().repeated


@pytest.mark.parametrize("name", [PROGRAM, "mirrorkeeper"])
def test_another_program_is_another_question(tree: Tree, name: str) -> None:
    tree.answered()
    shutil.copy2(tree.programs / name, tree.programs / "copy")
    (tree.programs / "copy").rename(tree.programs / name)

    assert not tree.ask().repeated
    assert tree.ask().repeated


def test_a_folder_of_the_same_name_is_another_question(tree: Tree) -> None:
    tree.answered(("tree", tree.root / "deep"))
    tree.tell(("tree", tree.told))
    shutil.copytree(tree.root / "deep", tree.told / "deep")
    tree.root.rename(tree.told / "moved")
    tree.root.mkdir()

    assert not tree.ask().repeated


def test_the_words_go_between_the_options_of_both(tree: Tree) -> None:
    tree.tell()
    answer = tree.ask("-C", "a b", "--config", "c", "--bytes", "-C", "d")

    assert answer.printed == "ran: -C a b --config c mirror verify --bytes -C d\n"


def test_a_link_to_the_program_runs_the_command_beside_the_program(tree: Tree) -> None:
    (tree.told / "bin").mkdir()
    (tree.told / "bin" / PROGRAM).symlink_to(tree.programs / PROGRAM)
    tree.answered()
    linked = tree._replace(programs=tree.told / "bin")

    assert linked.ask().repeated
