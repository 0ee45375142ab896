from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tools.mirrorkeeper.trees import as_rows, trees
from tools.mirrorkeeper.git.command import create_bare, with_index
from tools.mirrorkeeper.git.objects import (
    FILE,
    TREE,
    MalformedObjectError,
    Row,
    header_value,
    is_oid,
    object_id,
    parse_tree,
    tree_id,
)
from tools.mirrorkeeper.mirror.tree.listing import index_rows, read_tree_rows


def test_a_blob_is_named_as_git_names_it() -> None:
    assert object_id("blob", b"hello\n") == "ce013625030ba8dba906f756967f9e9ca394464a"


def test_the_empty_tree_is_named_as_git_names_it() -> None:
    assert tree_id([]) == "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


@settings(max_examples=15, deadline=None)
@given(trees())
def test_a_tree_is_named_as_git_names_it_and_git_lists_the_same_rows(tree: dict[bytes, tuple[int, bytes]]) -> None:
    rows = as_rows(tree)
    with tempfile.TemporaryDirectory() as folder:
        bare = create_bare(Path(folder))
        git = with_index(bare, Path(folder), Path(folder) / "index")
        git.run("update-index", "-z", "--index-info", stdin=index_rows(rows))
        written = git.run("write-tree", "--missing-ok").text
        listed = read_tree_rows(bare, written)

    assert tree_id(rows) == written
    assert listed is not None
    assert sorted(listed) == sorted(rows)


def test_a_whole_folder_may_stand_as_one_row() -> None:
    below = [Row(b"a.txt", FILE, "a" * 40), Row(b"b.txt", FILE, "b" * 40)]
    spelled = [Row(b"x", FILE, "c" * 40), *(Row(b"dir/" + row.path, row.mode, row.oid) for row in below)]

    assert tree_id([Row(b"x", FILE, "c" * 40), Row(b"dir", TREE, tree_id(below))]) == tree_id(spelled)


@pytest.mark.parametrize("paths", [(b"a", b"a"), (b"a", b"a/b"), (b"a/b", b"a")])
def test_rows_that_claim_one_path_are_no_tree(paths: tuple[bytes, bytes]) -> None:
    with pytest.raises(MalformedObjectError):
        tree_id([Row(path, FILE, "a" * 40) for path in paths])


def test_a_raw_tree_cut_short_is_malformed() -> None:
    whole = b"100644 a\0" + bytes(20)

    assert parse_tree(whole) == [(b"a", "100644", "0" * 40)]
    with pytest.raises(MalformedObjectError):
        parse_tree(whole[:-1])


@given(st.text(alphabet="0123456789abcdefABCDEFg", min_size=0, max_size=66))
def test_only_full_ids_in_lower_case_are_ids(text: str) -> None:
    assert is_oid(text) == (len(text) in (40, 64) and set(text) <= set("0123456789abcdef"))


def test_header_values_end_where_the_message_begins() -> None:
    body = b"tree abc\nauthor me\n\ntree of life\n"

    assert header_value(body, "tree") == "abc"
    assert header_value(body, "parent") == ""
