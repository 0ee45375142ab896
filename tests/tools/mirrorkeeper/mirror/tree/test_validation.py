from __future__ import annotations

import pytest

from tools.mirrorkeeper.declaration.declaration import Declaration
from tools.mirrorkeeper.declaration.policy import Accepted, Limits
from tools.mirrorkeeper.git.reserved_names import foreign_meaning, is_git_folder
from tools.mirrorkeeper.mirror.tree.listing import RawEntry
from tools.mirrorkeeper.mirror.tree.validation import problems

TAKEN = Accepted(links=("out/*", "known"), names=("aux.c", "old"))
RULES = Declaration("upstream", "v*", "mirror", exclude=("out",), limits=Limits(100, 150, 3), accepted=TAKEN)


def entry(path: bytes, mode: str = "100644", oid: str = "a") -> RawEntry:
    folder, _, name = path.rpartition(b"/")
    return RawEntry(folder + b"/" if folder else b"", name, mode, oid)


def found(
    *entries: RawEntry, links: dict[bytes, bytes] | None = None, sizes: dict[str, int] | None = None
) -> list[str]:
    return problems(entries, links or {}, sizes or {}, RULES)


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
    ("name", "meaning"),
    [
        (b"CON", "device"),
        (b"con.txt", "device"),
        (b"Aux .h", "device"),
        (b"nul:x", "device"),
        (b"com1", "device"),
        ("LPT\u00b3".encode(), "device"),
        (b"CONIN$", "device"),
        (b"a:b", "part of the file 'a'"),
        (b"a::$DATA", "part of the file 'a'"),
        (b"a.", "takes it for 'a'"),
        (b"a. ", "takes it for 'a'"),
        (b"a\\b", "takes for a folder"),
    ],
)
def test_names_that_windows_takes_for_something_else_are_refused(name: bytes, meaning: str) -> None:
    (text,) = found(entry(b"below/" + name))

    assert meaning in text


@pytest.mark.parametrize(
    "name",
    [b"console", b"com", b"com10", b"auxiliary.h", b"nullable", b".con", b"a.b", b" a", b":a", b'"', b"a\nb", b"\xff"],
)
def test_names_that_are_themselves_everywhere_or_impossible_elsewhere_are_fine(name: bytes) -> None:
    assert foreign_meaning(name) == ""
    assert found(entry(name)) == []


def test_an_accepted_name_may_mean_something_else_elsewhere_but_never_lead_out() -> None:
    assert found(entry(b"aux.c"), entry(b"old", "40000"), entry(b"old/nul")) == []
    assert found(entry(b"Old"), entry(b"old")) == []
    assert len(found(entry(b"old/..\\x"))) == 1
    assert len(found(entry(b"old/.GIT\\x"))) == 1


def test_an_accepted_link_may_lead_out_but_not_take_another_with_it() -> None:
    both = (entry(b"known", "120000"), entry(b"other", "120000"))

    assert found(both[0], links={b"known": b"/etc"}) == []
    assert len(found(*both, links={b"known": b"/etc", b"other": b"known/x"})) == 1


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
