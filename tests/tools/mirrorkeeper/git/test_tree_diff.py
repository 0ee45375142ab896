from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.tools.mirrorkeeper.trees import Tree, as_rows, trees
from tools.mirrorkeeper.git.objects import FILE, LINK, PROGRAM, Row
from tools.mirrorkeeper.git.tree_diff import DifferenceKind, Rows, TreeDifference, differences


def rows(*given: tuple[bytes, int, str]) -> Rows:
    return Rows(Row(path, mode, oid) for path, mode, oid in given)


def test_a_file_that_became_a_folder_is_one_change() -> None:
    wanted = rows((b"a", FILE, "1"), (b"b", FILE, "2"))
    found = rows((b"a/x", FILE, "1"), (b"a/y", FILE, "1"), (b"b", FILE, "2"))

    assert differences(wanted, found) == (TreeDifference(b"a", DifferenceKind.TYPE, "file became folder"),)


def test_a_folder_that_became_a_link_is_one_change() -> None:
    wanted = rows((b"a/x", FILE, "1"), (b"a/y/z", FILE, "1"))

    assert differences(wanted, rows((b"a", LINK, "3"))) == (
        TreeDifference(b"a", DifferenceKind.TYPE, "folder became symbolic link"),
    )


def test_a_file_that_became_a_link_is_a_change_of_type_though_the_content_differs_too() -> None:
    found = differences(rows((b"a", FILE, "1")), rows((b"a", LINK, "2")))

    assert [one.change for one in found] == [DifferenceKind.TYPE]


def test_mode_and_content_changed_together_are_one_modification() -> None:
    found = differences(rows((b"a", FILE, "1")), rows((b"a", PROGRAM, "2")))

    assert [one.change for one in found] == [DifferenceKind.MODIFIED]


@given(trees())
def test_a_tree_does_not_differ_from_itself(tree: Tree) -> None:
    assert differences(Rows(as_rows(tree)), Rows(as_rows(tree))) == ()


@given(trees(), trees())
def test_missing_one_way_is_added_the_other_way(one: Tree, other: Tree) -> None:
    there = differences(Rows(as_rows(one)), Rows(as_rows(other)))
    back = differences(Rows(as_rows(other)), Rows(as_rows(one)))

    def of(found: tuple[TreeDifference, ...], change: DifferenceKind) -> set[bytes]:
        return {difference.path for difference in found if difference.change is change}

    assert of(there, DifferenceKind.MISSING) == of(back, DifferenceKind.ADDED)
    assert of(there, DifferenceKind.TYPE) == of(back, DifferenceKind.TYPE)
    assert bool(there) == bool(back) == (one != other)


@given(trees(min_size=1), st.data())
def test_removing_one_entry_is_exactly_one_missing_path(tree: Tree, data: st.DataObject) -> None:
    gone = data.draw(st.sampled_from(sorted(tree)))
    rest = {path: entry for path, entry in tree.items() if path != gone}

    assert differences(Rows(as_rows(tree)), Rows(as_rows(rest))) == (TreeDifference(gone, DifferenceKind.MISSING),)
