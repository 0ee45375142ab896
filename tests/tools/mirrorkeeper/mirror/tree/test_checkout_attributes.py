"""Attributes of our own repository on mirrored paths: an error wherever they stand, in every mode."""

from __future__ import annotations

import pytest

from tests.tools.mirrorkeeper.repositories import Fork, Upstream
from tools.mirrorkeeper.gates import run_gates
from tools.mirrorkeeper.mirror.diagnosis.doctor import doctor
from tools.mirrorkeeper.mirror.verify.verify import VerifyOptions, verify

pytestmark = pytest.mark.slow

APP = "mirror/gateway/src/app.py"
MODES = (VerifyOptions(), VerifyOptions(hashed=True), VerifyOptions(prove=True), VerifyOptions(revision="HEAD"))


def declare(fork: Fork, text: str, file: str = ".gitattributes") -> None:
    (fork.root / ".gitattributes").unlink(missing_ok=True)
    path = fork.root / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text + "\n", encoding="utf-8")
    fork.commit()


def errors(fork: Fork) -> list[tuple[str, str]]:
    """The findings about attributes, which have to be the same in every mode."""
    found = [
        [
            (one.code, one.message.split(" on it")[0])
            for one in verify(fork.project, mode).findings
            if one.code == "ENV009"
        ]
        for mode in MODES
    ]
    assert all(one == found[0] for one in found), found
    return found[0]


@pytest.mark.parametrize(
    "setting",
    [
        "working-tree-encoding=UTF-7",
        "working-tree-encoding=UTF-16LE",
        "eol=crlf",
        "eol=lf",
        "text",
        "text=auto",
        "ident",
        "filter=x",
    ],
)
@pytest.mark.parametrize("file", [".gitattributes", "mirror/.gitattributes"])
def test_one_that_converts_a_mirrored_file_is_an_error_in_every_mode(fork: Fork, setting: str, file: str) -> None:
    declare(fork, f"app.py {setting}", file)

    assert errors(fork) == [("ENV009", f"our own attributes set {setting}")]
    assert all(verify(fork.project, mode).status == 1 for mode in MODES)


def test_the_gates_and_the_doctor_find_it(fork: Fork) -> None:
    declare(fork, f"{APP} working-tree-encoding=UTF-7")

    assert "ENV009" in [one.code for one in run_gates(fork.project, ("mirror",)).findings]
    assert "ENV009" in [one.code for one in doctor(fork.project).findings]


def test_a_macro_does_not_hide_it(fork: Fork) -> None:
    declare(fork, "[attr]plain working-tree-encoding=UTF-7\n*.py plain")

    assert errors(fork) == [("ENV009", "our own attributes set working-tree-encoding=UTF-7")]


@pytest.mark.parametrize("left", [None, "# nothing\n"])
def test_one_in_the_index_alone_is_found_as_a_checkout_reads_it(fork: Fork, left: str | None) -> None:
    declare(fork, "app.py working-tree-encoding=UTF-7")
    path = fork.root / ".gitattributes"
    if left is None:
        path.unlink()
    else:
        path.write_text(left, encoding="utf-8")

    assert errors(fork) == [("ENV009", "our own attributes set working-tree-encoding=UTF-7")]


def test_an_ignored_attribute_file_in_the_mirror_is_an_error(fork: Fork) -> None:
    (fork.root / ".git/info").mkdir(exist_ok=True)
    (fork.root / ".git/info/exclude").write_text(".gitattributes\n", encoding="utf-8")
    (fork.mirror / "src/.gitattributes").write_text("*.py ident\n", encoding="utf-8")

    assert fork.found() == [("MIR006", "mirror/gateway/src/.gitattributes")]


def test_one_of_the_clone_alone_is_found_in_the_working_files(fork: Fork) -> None:
    (fork.root / ".git/info").mkdir(exist_ok=True)
    (fork.root / ".git/info/attributes").write_text("*.py ident\n", encoding="utf-8")

    assert fork.codes() == ["ENV009"]
    assert fork.codes(prove=True) == ["ENV009"]


@pytest.mark.parametrize(
    "text",
    [
        "docs/** filter=x",
        "* -text",
        "* text=auto eol=lf\nmirror/gateway/** -text",
        "*.py ident\n*.py !ident",
        "*.c eol=crlf",
    ],
)
def test_one_that_converts_no_mirrored_file_is_no_finding(fork: Fork, text: str) -> None:
    declare(fork, text)

    assert errors(fork) == []


def test_those_of_the_upstream_are_its_own_affair(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({".gitattributes": b"*.sh eol=lf\n"}, tag="v1.1.0")
    fork.sync("v1.1.0")
    fork.commit()

    assert errors(fork) == []


def test_an_accepted_path_is_no_finding_and_an_acceptance_without_effect_is_one(fork: Fork) -> None:
    declare(fork, "app.py ident\nrun.sh ident")
    with fork.project.declaration_path.open("a", encoding="utf-8") as file:
        file.write('[accepted]\nattributes = ["src/app.py", "gone.py"]\n')
    fork.commit()

    found = sorted((one.code, one.shown_path) for one in verify(fork.project, VerifyOptions()).findings)
    assert found == [
        ("ENV009", "mirror/gateway/run.sh"),
        ("ENV010", "mirror/gateway/README.md"),
        ("MIR008", "mirror/upstream.toml"),
    ]


def test_the_advice_mends_it(fork: Fork) -> None:
    declare(fork, "app.py ident")
    fix = verify(fork.project, VerifyOptions()).findings[0].fix.split("`")[1]
    declare(fork, f"app.py ident\n{fix}")

    assert errors(fork) == []
