"""Names that files of settings and commands write with escapes, or in another encoding."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.boundary.test_command_lines import NAMES
from tools.mirrorkeeper.boundary.commands.files import command_findings
from tools.mirrorkeeper.modules import Module


def found(text: bytes, path: str) -> list[tuple[str, int]]:
    return [(one.code, one.line) for one in command_findings(Module(path, text), NAMES, "upstream", Path("/"), "ours")]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("x.sh", rb"python -m $'\x67reeter'"),
        ("x.yml", rb'run: "python -m \x67reeter"'),
        ("x.yml", rb'run: "python -m \u0067reeter.text"'),
        ("x.yml", "run: python -m greeter\n".encode("utf-16")),
        ("x.toml", rb'script = "python -m \u0067reeter"'),
        ("x.toml", rb'script = "python -m gree\U00000074er"'),
        ("x.toml", rb'run = "\u0067reeter:main"'),
        ("x.toml", b"run = '''greeter:main'''"),
        ("x.toml", b'run = """greeter:main"""'),
        ("x.sh", b"pytest --pyargs greeter"),
        ("x.sh", b"PYTEST_PLUGINS=greeter.plugin pytest"),
        ("x.yml", b"PYTEST_PLUGINS: other,greeter"),
    ],
)
def test_a_name_in_other_letters_is_found(path: str, text: bytes) -> None:
    assert [code for code, _ in found(text, path)] == ["IMP002"]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("x.sh", rb"python -m '\\x67reeter'"),
        ("x.sh", rb"sed 's/\x67/x/' greeter.txt"),
        ("x.toml", rb'text = "\n\u00e9 greeter"'),
        ("x.sh", b"pytest --pyargs greeters"),
        ("x.sh", b"PYTEST_PLUGINS=other pytest greeter"),
    ],
)
def test_what_only_looks_like_one_is_not(path: str, text: bytes) -> None:
    assert found(text, path) == []
