"""Every source of attributes that could change bytes of mirrored files, and the guard against all of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.repositories import GUARD_LINE, Fork, Upstream
from tools.mirrorkeeper.declaration.first_declaration import FirstDeclaration
from tools.mirrorkeeper.gates import run_gates
from tools.mirrorkeeper.mirror.tree.attributes.plain_guard import is_plainly_guarded
from tools.mirrorkeeper.mirror.verify.verify import VerifyOptions, verify

pytestmark = pytest.mark.slow

MODES = (VerifyOptions(), VerifyOptions(hashed=True), VerifyOptions(prove=True))


def found(fork: Fork) -> list[tuple[str, str]]:
    """Code and first words of the findings about attributes, the same in every mode."""
    seen = [
        sorted(
            (one.code, one.message.split(" on it")[0].split(" guard it")[0])
            for one in verify(fork.project, mode).findings
            if one.code.startswith("ENV")
        )
        for mode in MODES
    ]
    assert all(one == seen[0] for one in seen), seen
    return seen[0]


UNGUARDED = ("ENV010", "no attributes of ours")


def ours(setting: str) -> tuple[str, str]:
    return ("ENV009", f"our own attributes set {setting}")


def test_a_mirror_without_a_guard_is_an_error_of_the_gates_in_every_mode(fork: Fork) -> None:
    assert found(fork) == []
    fork.unguarded()

    assert found(fork) == [UNGUARDED]
    assert "ENV010" in [one.code for one in run_gates(fork.project, ("mirror",)).findings]
    assert verify(fork.project, VerifyOptions(revision="HEAD")).status == 1
    fix = verify(fork.project, VerifyOptions()).findings[0].fix.split("`")[1]
    assert fix + "\n" == GUARD_LINE


@pytest.mark.parametrize("where", ["repository", "person", "default place"])
@pytest.mark.parametrize("setting", ["working-tree-encoding=UTF-7", "eol=crlf", "ident", "filter=x", "text"])
def test_attributes_of_the_person_count_where_ours_do_not_guard(
    fork: Fork, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str, setting: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    own = tmp_path / ".config/git/attributes"
    own.parent.mkdir(parents=True)
    own.write_text(f"*.py {setting}\n", encoding="utf-8")
    if where == "repository":
        own = own.rename(tmp_path / "elsewhere")
        fork.project.git.run("config", "core.attributesFile", "~/elsewhere")
    elif where == "person":
        own = own.rename(tmp_path / "elsewhere")
        (tmp_path / ".gitconfig").write_text(f"[core]\n\tattributesFile = {own}\n", encoding="utf-8")

    assert found(fork) == []
    fork.unguarded()
    assert found(fork) == [("ENV009", f"attributes of this machine set {setting}"), UNGUARDED]


@pytest.mark.parametrize(
    ("line", "setting"),
    [
        ("*.py crlf", "crlf"),
        ("*.py crlf=input", "crlf=input"),
        ("mirror/gateway/src/*.py !text !crlf ident", "ident"),
        ('"mirror/gateway/src/app.py" ident', "ident"),
        ("mirror/**/app.py ident", "ident"),
        ("mirror/gateway/** ident", "ident"),
        ("**/src/** eol=crlf", ""),
        ("*.py text=auto eol=crlf", "eol=crlf"),
        ("*.py text=input", "text=input"),
        ("[attr]x ident\n*.py x", "ident"),
        ("[attr]binary ident\n*.py binary", "ident"),
        ("[attr]x filter=y\n[attr]z x\n*.py z", "filter=y"),
        ("*.py export-subst", "export-subst"),
        ("mirror/gateway/src export-ignore", "export-ignore"),
        ("mirror/gateway/src/ export-ignore", "export-ignore"),
        ("mirror/gateway export-ignore", "export-ignore"),
        ("mirror export-ignore", "export-ignore"),
        ("MIRROR/gateway/SRC export-ignore", "export-ignore"),
        ("mirror/upstream.lock export-ignore", ""),
        ("*.py export-ignore", "export-ignore"),
        ("*.py merge=union", "merge=union"),
        ("*.py merge=ours", "merge=ours"),
        ("*.PY ident", "ident"),
        ("MIRROR/** ident", "ident"),
        ("readme.md ident", "ident"),
    ],
)
def test_every_form_is_found_in_spite_of_a_guard_before_it(fork: Fork, line: str, setting: str) -> None:
    (fork.root / ".gitattributes").write_text(GUARD_LINE + line + "\n", encoding="utf-8")
    fork.commit()

    crlf = setting.startswith("crlf")  # of no effect where `-text` stands
    assert found(fork) == ([ours(setting)] if setting and not crlf else [])
    if crlf:
        (fork.root / ".gitattributes").write_text(line + "\n", encoding="utf-8")
        fork.commit()
        assert ours(setting) in found(fork)


def test_a_folder_above_the_guard_is_found_and_the_lines_of_init_stop_it(fork: Fork) -> None:
    place = fork.root / ".gitattributes"
    place.write_text("mirror/gateway export-ignore\nmirror/gateway/src export-ignore\n" + GUARD_LINE, encoding="utf-8")
    fork.commit()
    assert found(fork) == [ours("export-ignore")]

    with place.open("a", encoding="utf-8") as file:
        file.write("\n".join(FirstDeclaration("x", "mirror/gateway").attributes) + "\n")
    fork.commit()
    assert found(fork) == []
    listed = fork.project.git.run("archive", "HEAD").stdout
    assert b"mirror/gateway/src/app.py" in listed


@pytest.mark.parametrize(
    "line",
    ["*.py binary", "*.py -diff -merge", "*.py diff=python", "*.py whitespace=-all", "*.py merge=binary", "*.c ident"],
)
def test_what_changes_no_byte_is_no_finding(fork: Fork, line: str) -> None:
    (fork.root / ".gitattributes").write_text(line + "\n" + GUARD_LINE + line + "\n", encoding="utf-8")
    fork.commit()

    assert found(fork) == []


@pytest.mark.parametrize("line", ["*.py !text", "* !text", "MIRROR/gateway/** !text"])
def test_a_guard_that_is_taken_back_guards_nothing(fork: Fork, line: str) -> None:
    (fork.root / ".gitattributes").write_text(GUARD_LINE + line + "\n", encoding="utf-8")
    fork.commit()

    assert found(fork) == [UNGUARDED]


def test_a_link_in_the_place_of_the_attribute_file_guards_nothing(fork: Fork) -> None:
    (fork.root / ".gitattributes").rename(fork.root / "attributes")
    (fork.root / ".gitattributes").symlink_to("attributes")

    assert UNGUARDED in found(fork)


def test_a_macro_of_ours_for_a_word_of_the_upstream_is_found(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({".gitattributes": b"*.py binary\n*.sh text eol=lf\n"}, tag="v1.1.0")
    fork.sync("v1.1.0")
    fork.commit()
    assert found(fork) == []

    (fork.root / ".gitattributes").write_text("[attr]binary ident\n" + GUARD_LINE, encoding="utf-8")
    fork.commit()
    assert found(fork) == [ours("ident")]


def test_what_stands_in_another_file_is_to_be_taken_out_of_it(fork: Fork) -> None:
    (fork.root / "mirror/.gitattributes").write_text("*.py ident\n", encoding="utf-8")
    fork.commit()

    assert [one.fix for one in verify(fork.project, VerifyOptions()).findings] == [
        "take it out of mirror/.gitattributes"
    ]


def test_an_accepted_path_needs_no_guard(fork: Fork) -> None:
    with fork.project.declaration_path.open("a", encoding="utf-8") as file:
        file.write('[accepted]\nattributes = ["*"]\n')
    fork.unguarded()

    assert found(fork) == []


GUARD_AT_TOP = {".gitattributes": GUARD_LINE.encode()}
NAMES = ("mirror/.gitattributes", ".gitattributes")


@pytest.mark.parametrize(
    ("own", "personal", "plain"),
    [
        (GUARD_AT_TOP, b"", True),
        (GUARD_AT_TOP, b"* text ident export-ignore\n", True),
        (GUARD_AT_TOP, b"[attr]x ident\n", False),
        ({".gitattributes": b"*.py ident\n" + GUARD_LINE.encode() + b"*.png binary\n# text\n"}, b"", True),
        ({".gitattributes": GUARD_LINE.encode() + b"*.py !text\n"}, b"", False),
        ({".gitattributes": GUARD_LINE.encode() + b"*.py ident\n"}, b"", False),
        ({".gitattributes": GUARD_LINE.encode().replace(b"!ident", b"ident")}, b"", False),
        ({".gitattributes": GUARD_LINE.encode().replace(b"!filter", b"")}, b"", False),
        ({".gitattributes": GUARD_LINE.encode().replace(b"!merge", b"")}, b"", True),
        ({".gitattributes": GUARD_LINE.encode().replace(b"!merge", b"")}, b"* merge=x\n", False),
        ({".gitattributes": b"* merge=x\n" + GUARD_LINE.encode().replace(b"!merge", b"")}, b"", False),
        ({".gitattributes": GUARD_LINE.encode().replace(b"gateway", b"other")}, b"", False),
        ({**GUARD_AT_TOP, "mirror/.gitattributes": b"*.py ident\n"}, b"", False),
        ({**GUARD_AT_TOP, ".git/info/attributes": b"*.py ident\n"}, b"", False),
        ({**GUARD_AT_TOP, ".git/info/attributes": b"*.py -text\n"}, b"", False),
        ({"mirror/.gitattributes": b"gateway/** -text !eol !ident !filter !working-tree-encoding\n"}, b"", True),
        ({}, b"", False),
        *(
            ({".gitattributes": GUARD_LINE.encode() + line + b" -text\n"}, b"", elsewhere)
            for line, elsewhere in (
                (b"patches/*.patch", True),  # as `init` writes it
                (b"/mirror/patches/*.patch", True),
                (b"*.patch", False),
                (b"patches", False),
                (b"patches/", False),
                (b"**/patches/x", False),
                (b"*/gateway/x", False),
                (b"MIRROR/gateway/x", False),
                (b"mirror/*/x", False),
                (b"/mirror", False),
                (b'"patches/x"', False),
            )
        ),
    ],
)
def test_a_guard_as_it_is_written_is_recognized_without_git(
    own: dict[str, bytes], personal: bytes, *, plain: bool
) -> None:
    assert is_plainly_guarded(own, NAMES, "mirror/gateway", personal) is plain
