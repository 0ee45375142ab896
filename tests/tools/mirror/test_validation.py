from __future__ import annotations

import pytest

from tools.mirror.declaration import Limits
from tools.mirror.listing import RawEntry
from tools.mirror.validation import is_git_folder, problems


def entry(path: bytes, mode: str = "100644", oid: str = "a") -> RawEntry:
    folder, _, name = path.rpartition(b"/")
    return RawEntry(folder + b"/" if folder else b"", name, mode, oid)


def found(
    *entries: RawEntry, links: dict[bytes, bytes] | None = None, sizes: dict[str, int] | None = None
) -> list[str]:
    return problems(entries, links or {}, sizes or {}, Limits(100, 150, 3), lambda path: path.startswith(b"out"))


@pytest.mark.parametrize(
    "name",
    [
        b".git",
        b".GIT",
        b".Git",
        b"git~1",
        b"GIT~1",
        b".git ",
        b".git.",
        b".git . .",
        b".git::$INDEX_ALLOCATION",
        b".g\xe2\x80\x8cit",
        b"\xef\xbb\xbf.git",
        b".gi\xe2\x81\xact",
    ],
)
def test_every_spelling_of_the_git_folder_is_known(name: bytes) -> None:
    assert is_git_folder(name)


@pytest.mark.parametrize("name", [b".gitignore", b".github", b"git", b".gitt", b"git~2", b"..git", b"x.git"])
def test_names_that_only_look_like_it_are_fine(name: bytes) -> None:
    assert not is_git_folder(name)


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        (b"../x", "leaves the tree"),
        (b"sub/../../x", "leaves the tree"),
        (b"/etc/passwd", "is empty or absolute"),
        (b"", "is empty or absolute"),
        (b"C:/x", "is empty or absolute"),
        (b"..\\x", "is empty or absolute"),
        (b"link", "goes round in circles"),
    ],
)
def test_a_link_that_leads_out_is_refused_with_its_reason(target: bytes, reason: str) -> None:
    (text,) = found(entry(b"link", "120000"), links={b"link": target})

    assert text.endswith(reason)


@pytest.mark.parametrize("target", [b"b", b"./b", b"sub/../b", b"not/there", b"..b"])
def test_a_link_that_stays_within_is_fine(target: bytes) -> None:
    assert found(entry(b"link", "120000"), links={b"link": target}) == []


def test_a_link_may_climb_as_far_as_the_top() -> None:
    assert found(entry(b"a/b/link", "120000"), links={b"a/b/link": b"../../top"}) == []
    assert found(entry(b"a/b/link", "120000"), links={b"a/b/link": b"../../../top"}) != []


def test_a_link_through_another_link_is_followed() -> None:
    entries = (entry(b"deep/up", "120000"), entry(b"link", "120000"))
    inside = {b"deep/up": b"..", b"link": b"deep/up/x"}
    outside = {b"deep/up": b"..", b"link": b"deep/up/../x"}

    assert found(*entries, links=inside) == []
    assert len(found(*entries, links=outside)) == 1


def test_names_that_differ_in_case_or_accents_only_are_refused_in_folders_too() -> None:
    assert len(found(entry(b"Docs", "40000"), entry(b"docs", "40000"))) == 1
    assert len(found(entry("\u00e9".encode()), entry("e\u0301".encode()))) == 1
    assert len(found(entry("straße".encode()), entry(b"STRASSE"))) == 1


def test_files_in_all_and_their_number_are_limited() -> None:
    assert "101 bytes" in found(entry(b"a"), sizes={"a": 101})[0]
    assert "all files: 160 bytes" in found(entry(b"a"), entry(b"b"), sizes={"a": 80})[0]
    assert "4 entries" in found(*(entry(bytes([97 + count])) for count in range(4)))[0]


def test_an_excluded_entry_may_be_what_cannot_be_mirrored_but_not_a_hostile_name() -> None:
    assert found(entry(b"out", "160000")) == []
    assert found(entry(b"out/.git", "40000")) != []


def test_an_ordinary_tree_is_fine() -> None:
    entries = (entry(b"src", "40000"), entry(b"src/a.py"), entry(b"run", "100755"))

    assert found(*entries, sizes={"a": 50}) == []
