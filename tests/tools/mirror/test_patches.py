"""`patch list new edit refresh drop import`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirror.conftest import WHY
from tests.tools.mirror.project import Fork, Upstream, git, numbered
from tools.mirror.errors import PausedError, ToolError
from tools.mirror.patches import drop, edit, new, patch_lines, read_reasons, refresh, take_over
from tools.mirror.sync import abort
from tools.mirror.verify import verify

FIRST, SECOND, THIRD, FOURTH = "1-first.patch", "2-second.patch", "3-third.patch", "4-fourth.patch"


def errors(fork: Fork) -> list[str]:
    return [finding.code for finding in verify(fork.declaration) if finding.level == "error"]


def tree_of(fork: Fork) -> Path:
    return fork.root / "mirror/.work/tree"


def test_patches_are_listed_with_their_reasons(pinned: Fork) -> None:
    assert list(patch_lines(pinned.declaration))[:3] == [f"{FIRST}: first", "  Why: it is needed", "  Drop-when: never"]


def test_a_list_has_subjects_without_what_a_mailing_list_adds(fork: Fork) -> None:
    path = fork.root / "patches" / FIRST
    path.write_bytes(path.read_bytes().replace(b"Subject: first", b"Subject: [PATCH v2 03/37] first"))
    assert next(patch_lines(fork.declaration)) == f"{FIRST}: first"


def test_a_new_patch_is_made_in_a_folder_and_taken_in(fork: Fork) -> None:
    new(fork.declaration, "more", ("a reason", "some day"), fork.said.append)
    (tree_of(fork) / "more.txt").write_bytes(b"more\n")
    refresh(fork.declaration, fork.said.append)

    assert fork.declaration.patches.order == (FIRST, SECOND, THIRD, FOURTH, "more.patch")
    content = (fork.root / "patches/more.patch").read_bytes()
    assert read_reasons(content) == ("more", {"Why": "a reason", "Drop-when": "some day"})
    assert (fork.root / "mirror/gateway/more.txt").read_bytes() == b"more\n"
    assert errors(fork) == []


def test_a_new_patch_that_changes_nothing_is_refused(fork: Fork) -> None:
    new(fork.declaration, "more", ("a reason", "some day"), fork.said.append)
    with pytest.raises(ToolError, match=r"more\.patch changes nothing"):
        refresh(fork.declaration, fork.said.append)
    with pytest.raises(ToolError, match="work on the patches is open"):
        new(fork.declaration, "other", ("a", "b"), fork.said.append)
    abort(fork.declaration, fork.said.append)
    assert fork.is_clean()


def test_a_patch_is_edited_and_those_behind_it_are_made_anew(fork: Fork) -> None:
    edit(fork.declaration, FIRST, fork.said.append)
    assert (tree_of(fork) / "a.txt").read_bytes() == numbered(60, line20="ours a")
    assert "ours a" in git(tree_of(fork), "diff", "--cached")
    (tree_of(fork) / "a.txt").write_bytes(numbered(60, line1="edited", line20="ours a"))
    refresh(fork.declaration, fork.said.append)

    assert b"+edited" in (fork.root / "patches" / FIRST).read_bytes()
    assert (fork.root / "mirror/gateway/a.txt").read_bytes() == numbered(
        60, line1="edited", line20="ours a", line21="ours a2"
    )
    assert errors(fork) == []


def test_an_edited_patch_is_named_as_a_new_one_is(fork: Fork) -> None:
    edit(fork.declaration, FIRST.removesuffix(".patch"), fork.said.append)
    assert f"{FIRST} is open in mirror/.work/tree" in fork.said
    with pytest.raises(ToolError, match=r"other is not listed"):
        drop(fork.declaration, "other", fork.said.append)


def test_an_edit_that_a_later_patch_does_not_follow_pauses_there(fork: Fork) -> None:
    edit(fork.declaration, FIRST, fork.said.append)
    (tree_of(fork) / "a.txt").write_bytes(numbered(60, line21="other"))
    with pytest.raises(PausedError, match=f"v1.0.0 needs a person for 1 of 4 patches: {THIRD}"):
        refresh(fork.declaration, fork.said.append)
    (tree_of(fork) / "a.txt").write_bytes(numbered(60, line21="other ours"))
    refresh(fork.declaration, fork.said.append)

    assert (fork.root / "mirror/gateway/a.txt").read_bytes() == numbered(60, line21="other ours")
    assert errors(fork) == []


def test_conflict_markers_in_a_refreshed_patch_are_refused(fork: Fork) -> None:
    edit(fork.declaration, FIRST, fork.said.append)
    (tree_of(fork) / "a.txt").write_bytes(b"<<<<<<< ours\nx\n=======\ny\n>>>>>>> theirs\n")
    git(tree_of(fork), "add", "--all")
    with pytest.raises(ToolError, match=r"conflict markers are left in a\.txt"):
        refresh(fork.declaration, fork.said.append)


def test_a_patch_file_with_markers_is_a_finding(fork: Fork) -> None:
    path = fork.root / "patches" / FIRST
    path.write_bytes(path.read_bytes() + b"+<<<<<<< ours\n")
    assert "PAT003" in errors(fork)


@pytest.mark.parametrize("name", [SECOND, SECOND.removesuffix(".patch")])
def test_a_patch_is_dropped(fork: Fork, name: str) -> None:
    drop(fork.declaration, name, fork.said.append)

    assert fork.declaration.patches.order == (FIRST, THIRD, FOURTH)
    assert (fork.root / "mirror/gateway/b.txt").read_bytes() == numbered(60)
    assert not (fork.root / "patches" / SECOND).exists()
    assert errors(fork) == []


def test_a_patch_that_another_needs_is_not_dropped(fork: Fork) -> None:
    with pytest.raises(PausedError, match="nothing was changed"):
        drop(fork.declaration, FIRST, fork.said.append)
    assert fork.is_clean()


def test_a_patch_a_synchronization_stopped_at_can_be_dropped(fork: Fork) -> None:
    with pytest.raises(PausedError):
        fork.sync("v1.2.0", refresh=True)
    drop(fork.declaration, FIRST, fork.said.append)
    with pytest.raises(PausedError, match=f"v1.2.0 needs a person for 1 of 4 patches: {SECOND}"):
        fork.go_on()
    drop(fork.declaration, SECOND.removesuffix(".patch"), fork.said.append)
    with pytest.raises(PausedError, match=f"v1.2.0 needs a person for 1 of 4 patches: {THIRD}"):
        fork.go_on()
    drop(fork.declaration, THIRD, fork.said.append)
    fork.go_on()

    assert fork.declaration.patches.order == (FOURTH,)
    assert errors(fork) == []


def test_the_order_of_patches_can_be_changed_by_hand(fork: Fork) -> None:
    path = fork.declaration.file
    text = path.read_text(encoding="utf-8").replace(f'"{FIRST}", "{SECOND}"', f'"{SECOND}", "{FIRST}"')
    path.write_text(text, encoding="utf-8")

    fork.sync()

    assert errors(fork) == []


@pytest.mark.parametrize("form", ["folder", "series", "mailbox"])
def test_a_folder_or_a_mailbox_of_patches_is_taken_over(tmp_path: Path, upstream: Upstream, form: str) -> None:
    other = Upstream(tmp_path / "other")
    other.commit({"sub/c.txt": numbered(60)})
    mails = [other.mail({f"{name}.txt": b"x\n"}, f"[net] Add {name}, ünï{WHY}") for name in ("one", "two")]
    place = tmp_path / "taken"
    if form == "mailbox":
        place.write_bytes(b"\n".join(mails))
    else:
        place.mkdir()
        for number, mail in enumerate(mails):
            (place / f"{number}.patch").write_bytes(mail)
        if form == "series":
            (place / "sub").mkdir()
            (place / "0.patch").rename(place / "sub/0.patch")
            (place / "series").write_text("# in order\n1.patch -p1\nsub/0.patch # last\n", encoding="utf-8")
    fork = Fork.make(tmp_path / "fork", str(upstream.folder))
    fork.sync("v1.0.0")
    fork.commit()

    take_over(fork.declaration, place, fork.said.append)

    assert (fork.root / "mirror/gateway/two.txt").is_file()
    names = {"folder": ["0.patch", "1.patch"], "series": ["1.patch", "0.patch"]}
    assert len(fork.declaration.patches.order) == 2
    assert form == "mailbox" or list(fork.declaration.patches.order) == names[form]
    assert b"Subject: " in (fork.root / "patches" / fork.declaration.patches.order[0]).read_bytes()
    assert errors(fork) == []


@pytest.mark.parametrize(
    ("series", "text"),
    [("none.patch\n", "series names none.patch, which is not there"), ("x.patch\nx.patch\n", "names x.patch, twice")],
)
def test_a_wrong_series_is_refused(fork: Fork, tmp_path: Path, series: str, text: str) -> None:
    (tmp_path / "x.patch").write_bytes((fork.root / "patches" / FIRST).read_bytes())
    (tmp_path / "series").write_text(series, encoding="utf-8")
    with pytest.raises(ToolError, match=text):
        take_over(fork.declaration, tmp_path, fork.said.append)
    assert fork.is_clean()


def test_patches_that_do_not_apply_are_not_taken_over(fork: Fork, tmp_path: Path) -> None:
    other = Upstream(tmp_path / "other")
    other.commit({"b.txt": b"nothing alike\n"})
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken/x.patch").write_bytes(other.mail({"b.txt": b"something else\n"}, f"x{WHY}"))

    with pytest.raises(PausedError, match="1 patch cannot be applied") as error:
        take_over(fork.declaration, tmp_path / "taken", fork.said.append)

    assert any("x.patch conflicts in" in line for line in error.value.details)
    assert fork.is_clean()


def test_a_file_that_is_no_mail_is_refused(fork: Fork, tmp_path: Path) -> None:
    (tmp_path / "x.patch").write_bytes(b"diff --git a/a b/a\n")
    with pytest.raises(ToolError, match=r"x\.patch is no patch as"):
        take_over(fork.declaration, tmp_path, fork.said.append)
