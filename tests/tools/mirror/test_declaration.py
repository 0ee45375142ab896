"""`upstream.toml` and `upstream.lock`: read strictly."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.mirror.declaration import parse_declaration, read_declaration, with_order
from tools.mirror.errors import DeclarationError, NotDeclaredError, ToolError
from tools.mirror.lock import Lock, LockedPatch, LockedTag, parse_lock

GOOD = 'schema = 1\nurl = "x"\ntrack = "v*"\npath = "mirror/gateway"\n'
ROOT = Path(__file__).parents[3]


def test_this_project_is_read() -> None:
    declaration = read_declaration(ROOT)
    assert declaration.required_entry().package == "gateway"
    assert declaration.required_contract().endpoints == 12
    assert declaration.required_boundary().importers == ("adapter",)


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("schema = 2\n", "schema 2 is not 1", ""),
        ("", "`schema` is missing", "it needs `schema = 1`, `url`"),
        (GOOD + "[[[", "is no TOML", ""),
        (GOOD.replace("track", "trak"), "unknown key `trak`", "did you mean `track`?"),
        (GOOD + "[patches]\nordre = []\n", "`patches`: unknown key `ordre`", "did you mean `order`?"),
        (GOOD.replace('url = "x"\n', ""), "`url` is missing", ""),
        (GOOD.replace('"x"', "7"), "`url` must be a text, not 7", ""),
        (GOOD + "exclude = [1]\n", "`exclude` must be a text", ""),
        (GOOD + "[limits]\nfiles = true\n", "`files` must be a number", ""),
        (GOOD + "[limits]\nfiles = 0\n", "must be at least 1", ""),
        (GOOD.replace('"v*"', '"v"'), "must have exactly one `*`", ""),
        (GOOD.replace('"x"', '""'), "`url` is empty", ""),
        (GOOD.replace("mirror/gateway", "../out"), "must be a plain path", ""),
        (GOOD.replace("mirror/gateway", ".GIT/x"), "must be a plain path", ""),
        (GOOD.replace("mirror/gateway", "mirror"), "must lie outside the mirrored folder", ""),
        (GOOD + '[patches]\norder = ["a.patch", "a.patch"]\n', "is listed twice", ""),
        (GOOD + '[patches]\norder = ["x/a.patch"]\n', "must be the name of a .patch file", ""),
        (GOOD + '[fetch]\nfsck = { badDate = "maybe" }\n', "must be ignore, warn or error", ""),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, message: str, hint: str) -> None:
    with pytest.raises(DeclarationError) as error:
        parse_declaration(text, tmp_path)
    assert message in error.value.message
    assert hint in error.value.hint


def test_a_missing_file_and_a_missing_table_are_errors_with_a_next_step(tmp_path: Path) -> None:
    with pytest.raises(DeclarationError, match="is not there") as error:
        read_declaration(tmp_path)
    assert "or declare a mirror there: `schema = 1`, `url`" in error.value.hint
    with pytest.raises(NotDeclaredError, match=r"has no \[contract\]"):
        parse_declaration(GOOD, tmp_path).required_contract()


def test_patterns_exclude_what_is_below_them(tmp_path: Path) -> None:
    declaration = parse_declaration(GOOD + 'exclude = ["docs/", "*.png", "a/*/b"]\n', tmp_path)
    paths = ["docs/x", "docs", "x/docs", "pic.png", "a/x/b/c", "a/b", "sub/pic.png"]
    assert [path for path in paths if declaration.excludes(path)] == [
        "docs/x",
        "docs",
        "pic.png",
        "a/x/b/c",
        "sub/pic.png",
    ]


@pytest.mark.parametrize(
    "section", ["", "# kept\n[patches]  # why\nfolder = 'p'\norder = [  # old\n  'a.patch',\n]\n\n[limits]\n"]
)
def test_the_list_of_patches_is_edited_in_its_place(tmp_path: Path, section: str) -> None:
    for names in (["b.patch"], ["b.patch", "a.patch"], []):
        text = with_order(GOOD + section, names, tmp_path)
        assert parse_declaration(text, tmp_path).patches.order == tuple(names)
        assert text.startswith(GOOD)
        assert "# kept" in text or not section


def test_a_lock_is_read_as_it_was_written() -> None:
    patches = (LockedPatch("ä.patch", "0" * 64),)
    lock = Lock(5, "u", "f", LockedTag("v1", "1" * 40), "2" * 40, "3" * 40, "4" * 40, patches)
    assert parse_lock(lock.render().encode(), "lock") == lock


@pytest.mark.parametrize(
    "content", [b"", b"[[[", b"\xff", b"schema = 4\n", b"schema = 5\n", b"schema = 5\nextra = 1\n"]
)
def test_another_lock_is_refused_with_a_next_step(content: bytes) -> None:
    with pytest.raises(ToolError) as error:
        parse_lock(content, "upstream.lock")
    assert "--discard" in error.value.hint
