from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tools.mirrorkeeper.repositories import Fork, Upstream, contents, make_fork
from tools.mirrorkeeper.errors import ToolError
from tools.mirrorkeeper.git.command import Git, Output
from tools.mirrorkeeper.git.isolation import isolate


@pytest.fixture
def hostile_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user whose git settings, hooks and environment change whatever git does; returns the file they would touch."""
    canary = tmp_path / "canary"
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for name in ("post-checkout", "pre-commit", "reference-transaction", "post-index-change", "post-rewrite"):
        (hooks / name).write_text(f"#!/bin/sh\necho {name} >> {canary}\n", encoding="utf-8")
        (hooks / name).chmod(0o755)
    attributes = tmp_path / "attributes"
    attributes.write_text("* text eol=crlf filter=spoil\n", encoding="utf-8")
    (tmp_path / "ignored").write_text("*\n", encoding="utf-8")
    settings = tmp_path / "gitconfig"
    settings.write_text(
        f"""[core]
    hooksPath = {hooks}
    autocrlf = true
    attributesFile = {attributes}
    excludesFile = {tmp_path / "ignored"}
    quotePath = true
    fsmonitor = {hooks / "pre-commit"}
[filter "spoil"]
    clean = echo spoiled
    smudge = echo spoiled
[init]
    templateDir = {hooks}
[tag]
    gpgSign = true
[commit]
    gpgSign = true
[user]
    name = Somebody
    email = somebody@example.test
[apply]
    whitespace = fix
""",
        encoding="utf-8",
    )
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
    for name, value in {
        "GIT_DIR": str(tmp_path / "nowhere"),
        "GIT_WORK_TREE": str(tmp_path / "nowhere"),
        "GIT_INDEX_FILE": str(tmp_path / "index"),
        "GIT_OBJECT_DIRECTORY": str(tmp_path / "objects"),
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.autocrlf",
        "GIT_CONFIG_VALUE_0": "true",
        "GIT_EXTERNAL_DIFF": "false",
        "GIT_TRACE": "1",
    }.items():
        monkeypatch.setenv(name, value)
    return canary


def test_nobodys_git_settings_change_a_synchronization(tmp_path: Path, hostile_settings: Path) -> None:
    upstream = Upstream(tmp_path / "upstream")
    upstream.commit({"a.txt": b"one \r\ntwo\n", "ä.txt": b"x\n"}, tag="v1.0.0")
    fork = make_fork(tmp_path / "fork", str(upstream.folder))
    fork.sync()
    fork.commit()

    assert fork.codes(prove=True) == []
    assert contents(fork.mirror) == {"a.txt": b"0o0 one \r\ntwo\n", "ä.txt": b"0o0 x\n"}
    assert not hostile_settings.exists()
    (fork.mirror / "extra").write_bytes(b"")
    assert fork.codes() == ["MIR006"]


def test_a_replaced_object_is_not_believed(fork: Fork) -> None:
    git = fork.project.git
    (fork.mirror / "README.md").write_bytes(b"mine\n")
    mine = git.run("hash-object", "-w", "mirror/gateway/README.md").text
    git.run("update-ref", "refs/replace/" + git.run("rev-parse", ":mirror/gateway/README.md").text, mine)

    assert fork.found() == [("MIR001", "mirror/gateway/README.md")]


def test_a_failing_command_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match=rf"git rev-parse failed in {tmp_path}: not a git repository"):
        Git(tmp_path).run("rev-parse", "HEAD")


def test_standard_input_may_be_any_bytes(upstream: Upstream) -> None:
    output = upstream.git.run("hash-object", "--stdin", stdin=bytes(range(256)))

    assert output.text == "c86626638e0bc8cf47ca49bb1525b40e9737ee64"


NAMES = st.from_regex(r"GIT_[A-Z_]{1,12}", fullmatch=True) | st.sampled_from(["GIT_DIR", "GIT_SSH_COMMAND", "HOME"])


@given(st.dictionaries(NAMES, st.text(max_size=3)), st.booleans())
def test_what_git_is_told_by_the_environment_is_set_by_us_or_removed(given: dict[str, str], network: bool) -> None:
    isolation = isolate(given, network=network)
    left = {name for name in given if name not in isolation.removed and name not in isolation.settings}

    assert not {"GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_CONFIG_COUNT"} & left
    assert "HOME" not in isolation.removed
    assert not set(isolation.removed) & set(isolation.settings)
    assert ("GIT_CONFIG_GLOBAL" in isolation.settings) is not network


def test_a_warning_is_the_reason_only_where_there_is_no_other() -> None:
    assert Output(1, b"", "warning: ignored\nerror: broken pack\n").complaint == "broken pack"
    assert Output(1, b"", "warning: all there is\n").complaint == "warning: all there is"
