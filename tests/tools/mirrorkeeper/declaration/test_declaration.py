from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.repositories import declaration_text
from tools.mirrorkeeper.declaration.declaration import Declaration, read_declaration
from tools.mirrorkeeper.errors import ToolError
from tools.mirrorkeeper.project import Project


def declare(folder: Path, text: str) -> Declaration:
    (folder / "mirror").mkdir(exist_ok=True)
    (folder / "mirror/upstream.toml").write_text(text, encoding="utf-8")
    return read_declaration(Project.at(folder))


@pytest.mark.parametrize(
    ("text", "message", "advice"),
    [
        ('exlude = ["a"]', "unknown key `exlude`", "did you mean `exclude`?"),
        ("[limits]\nfile_byte = 1", "unknown key `file_byte`", "did you mean `file_bytes`?"),
        ("[patchs]\norder = []", "unknown key `patchs`", "did you mean `patches`?"),
        ("[limits]\nfiles = -1", "`files` is -1", "at least 1"),
        ("[limits]\nfiles = true", "`files` must be a whole number", ""),
        ("[patches]\norder = [1]", "`order` must be a list of texts", ""),
        ('[patches]\norder = ["a.patch", "a.patch"]', "is listed twice", ""),
        ('[patches]\norder = ["../a.patch"]', "must be the name of a .patch file", ""),
        ('[patches]\nfolder = "../up"', "must be a plain path inside the project", ""),
        ('[patches]\nfolder = "mirror/gateway/patches"', "must lie outside the mirrored folder", ""),
    ],
)
def test_a_declaration_that_is_wrong_is_refused_with_what_to_do(
    tmp_path: Path, text: str, message: str, advice: str
) -> None:
    whole = declaration_text("u").replace("exclude = []", "") if text.startswith("exlude") else declaration_text("u")

    with pytest.raises(ToolError) as caught:
        declare(tmp_path, whole + text + "\n")

    assert message in caught.value.text
    assert advice in caught.value.advice


def test_a_pattern_without_a_place_for_the_version_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="exactly one"):
        declare(tmp_path, declaration_text("u").replace('"v*"', '"v"'))


@pytest.mark.parametrize(
    ("key", "slip", "advice"),
    [
        ("track", "trakc", "did you mean `track` by `trakc`?"),
        ("url", "ulr", "did you mean `url` by `ulr`?"),
        ("path", "paths", "did you mean `path` by `paths`?"),
        ("path", "where", "it must be a text"),
    ],
)
def test_a_key_that_is_missing_is_suggested_for_one_that_looks_like_it(
    tmp_path: Path, key: str, slip: str, advice: str
) -> None:
    text = declaration_text("u", "[patches]\norder = []").replace(f"\n{key} =", f"\n{slip} =")

    with pytest.raises(ToolError, match=f"`{key}` is missing") as caught:
        declare(tmp_path, text)
    assert caught.value.advice == advice


def test_an_empty_url_is_refused_and_never_the_project_itself(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="`url` is empty"):
        declare(tmp_path, declaration_text(""))


def test_a_declaration_of_another_schema_is_told_as_older_or_newer(tmp_path: Path) -> None:
    for schema, word in ((0, "older"), (2, "newer")):
        with pytest.raises(ToolError, match=f"schema {schema} is {word} than 1"):
            declare(tmp_path, declaration_text("u").replace("schema = 1", f"schema = {schema}"))


def test_a_declaration_that_is_not_there_names_the_global_option(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="is not there") as caught:
        read_declaration(Project.at(tmp_path))
    assert "-C DIR" in caught.value.advice


def test_excluding_a_folder_excludes_all_below_it(tmp_path: Path) -> None:
    declaration = declare(tmp_path, declaration_text("u", exclude='["docs", "*.md", "a/b/"]'))

    assert [path for path in (b"docs/x/y", b"docs", b"README.md", b"a/b/c") if not declaration.excludes(path)] == []
    assert not declaration.excludes(b"documents/x")
    assert not declaration.excludes(b"a/c")


def test_versions_and_tags_translate_both_ways(tmp_path: Path) -> None:
    declaration = declare(tmp_path, declaration_text("u").replace('"v*"', '"release-*-final"'))

    assert declaration.tag_of("1.2.3") == "release-1.2.3-final"
    assert declaration.version_of("release-1.2.3-final") == "1.2.3"
    assert declaration.version_of("release-final") is None
    assert declaration.version_of("v1.2.3") is None


def test_a_declaration_that_is_nested_too_deeply_is_not_valid(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match=r"is not valid TOML: nested too deeply") as caught:
        declare(tmp_path, "x = " + "[" * 5000)
    assert caught.value.advice


@pytest.mark.parametrize(
    "changed",
    [
        ('path = "', 'path = "a\\u0000b'),
        ("schema", 'patches = {order = ["a\\u0000"]}\nschema'),
        ('track = "', 'others = ["\\u0000"]\ntrack = "'),
    ],
)
def test_a_character_that_no_path_has_is_refused(tmp_path: Path, changed: tuple[str, str]) -> None:
    text = declaration_text("u")
    assert text.count(changed[0]) == 1

    with pytest.raises(ToolError, match=r"`(path|others|patches)` holds the character U\+0000") as caught:
        declare(tmp_path, text.replace(*changed))
    assert caught.value.advice
