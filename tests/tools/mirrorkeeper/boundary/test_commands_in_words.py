"""Commands in scripts of JSON, and in YAML that gives each word or value a line of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.mirrorkeeper.boundary.commands.files import command_findings, read_commands
from tools.mirrorkeeper.boundary.package_names import PackageNames

NAMES = PackageNames("greeter", ("upstream.src",))
WORDS = '{"command": "python", "args": [{"quoting": "escape", "value": "-m"}, {"value": "greeter", "quoting": "weak"}]}'
STARTED = '{{"configurations": [{{"module": "ours.start",\n"cwd": "{}"}}]}}'


def found(folder: Path, name: str, text: str) -> list[tuple[str, int]]:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    module = read_commands(path, name)
    return (
        []
        if module is None
        else [(one.code, one.line) for one in command_findings(module, NAMES, "upstream", folder, "ours")]
    )


@pytest.mark.parametrize(
    ("name", "text", "where"),
    [
        ("package.json", '{"scripts":\n{"a": "python -m greeter"}}', ("IMP002", 2)),
        ("package.json", '{"scripts": {"a": "PYTHONPATH=upstream/src node x.js"}}', ("IMP008", 1)),
        ("package.json", '{"scripts": {"a": "python3 -c \\"import greeter.text\\""}}', ("IMP002", 1)),
        (".vscode/launch.json", '{"configurations": [\n{"type": "debugpy", "module": "greeter.text"}]}', ("IMP002", 2)),
        (".vscode/tasks.json", '{"tasks": [{"command": "python", "args": ["-m", "greeter"]}]}', ("IMP002", 1)),
        ("k8s.yaml", "command:\n- python\n- -m\n- greeter\n", ("IMP002", 2)),
        ("k8s.yaml", 'command:\n  - "python3"\n  - "-m"   # run it\n  - \'greeter.text\'\n', ("IMP002", 2)),
        ("k8s.yaml", "command: [python]\nargs:\n- -m\n- greeter\n- --port\n- 80\n", ("IMP002", 3)),
        ("a.yml", "command:\n- env\n- PYTHONPATH=upstream/src\n- python\n- x.py\n", ("IMP008", 3)),
        ("a.yml", "env:\n- name: PYTHONPATH\n  value: upstream/src\n", ("IMP008", 2)),
        ("a.yml", "env:\n  - name: 'PYTHONPATH' # ours\n    value: \"/app/upstream/src\"\n", ("IMP008", 2)),
        ("a.yml", "command:\n- python\n\n# now\n- -m\n- greeter\n", ("IMP002", 2)),
        ("a.yml", "command:\r\n- python\r\n- -m\r\n- greeter\r\n", ("IMP002", 2)),
        ("a.yml", "command: [\n  python,\n  -m,\n  greeter]\n", ("IMP002", 1)),
        ("a.yml", "args:\n- -c\n- import greeter\n", ("IMP002", 2)),
        ("a.yml", "args:\n- -c # run\n- 'from greeter import text'\n", ("IMP002", 2)),
        ("a.yml", "env:\r\n- name: PYTHONPATH\r\n\r\n  # ours\r\n  value: upstream/src\r\n", ("IMP008", 2)),
        ("tasks.json", '{"command": "python", "args": [\n"-m",\n"greeter"\n]}', ("IMP002", 1)),
        ("launch.json", '{"program": "${workspaceFolder}/upstream/src/greeter/__main__.py"}', ("IMP002", 1)),
        ("a.yml", "env:\n- value: upstream/src\n  name: PYTHONPATH\n", ("IMP008", 2)),
        (".devcontainer.json", '{"postCreateCommand":\n"python -m greeter"}', ("IMP002", 2)),
        ("tasks.json", WORDS.replace(", ", ",\n"), ("IMP002", 2)),
        ("tasks.json", '{"linux": ' + WORDS + "}", ("IMP002", 1)),
        ("tasks.json", WORDS.replace('"-m"', '"-c"').replace('"greeter"', '"import greeter"'), ("IMP002", 1)),
        ("tasks.json", WORDS.replace('"python"', '{"value": "python"}'), ("IMP002", 1)),
        ("tasks.json", WORDS.replace('"quoting": "escape", "value": "-m"', '\n"value": "-m"\n'), ("IMP002", 1)),
        ("a.yml", "steps:\n- run: import greeter\n  shell: python\n", ("IMP002", 2)),
        ("a.yml", "steps:\n- shell: python {0}\n  run: from greeter import text\n", ("IMP002", 3)),
        ("a.yml", "- {run: import greeter.text, shell: python}\n", ("IMP002", 1)),
        ("a.yml", "- name: x\n  'run' : import os, greeter  # now\n", ("IMP002", 2)),
        ("a.yml", "- run: !!str import greeter; greeter.greet()\n", ("IMP002", 1)),
        (".vscode/launch.json", STARTED.format("${workspaceFolder}/upstream/src"), ("IMP008", 2)),
        (".vscode/launch.json", STARTED.format("./upstream/src/"), ("IMP008", 2)),
        (".vscode/launch.json", STARTED.format("${workspaceFolder}/upstream/src/greeter"), ("IMP008", 2)),
        (".vscode/launch.json", STARTED.format("${workspaceFolder}\\\\upstream\\\\src"), ("IMP008", 2)),
        (".devcontainer/one/devcontainer.json", '{"onCreateCommand": ["python", "-m", "greeter"]}', ("IMP002", 1)),
    ],
)
def test_a_command_in_words_is_found(tmp_path: Path, name: str, text: str, where: tuple[str, int]) -> None:
    assert where in found(tmp_path, name, text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "package.json",
            '{"description": "greeter of a page", "keywords": ["greeter", "python"], "files": ["upstream"]}',
        ),
        ("package.json", '{"scripts": {"lint": "grep -rn \\"import greeter\\" ours", "x": "python -m ours"}}'),
        (".devcontainer.json", '{"name": "greeter", "postCreateCommand": "python -m ours"}'),
        ("tasks.json", WORDS.replace('"-m"', '"--name"')),
        ("tasks.json", WORDS.replace('"python"', '"git"').replace('"-m"', '"commit", "-m"').replace("}, {", "]}, {")),
        ("a.yml", "- run: echo import greeter\n- name: import greeter\n- title: from greeter import text\n"),
        ("a.yml", "- run: import -window greeter x.png\n# run: import greeter\n"),
        ("a.yml", "- run: import ours.greeter\n  shell: python\n"),
        (".vscode/launch.json", STARTED.format("${workspaceFolder}/ours")),
        (".vscode/launch.json", STARTED.format("${workspaceFolder}/upstream/src/web")),
        (".vscode/launch.json", STARTED.format("${workspaceFolder}/upstream/srcs")),
        (".vscode/launch.json", '{"type": "node", "program": "x.js", "cwd": "upstream/src"}'),
        ("my.devcontainer.json", '{"postCreateCommand": "python -m greeter"}'),
        ("data.json", '{"text": "python -m greeter"}'),
        (".vscode/launch.json", '{"configurations": [{"type": "debugpy", "module": "ours.greeter"}]}'),
        (".vscode/settings.json", '{"python.analysis.extraPaths": ["upstream/src"]}'),
        ("a.yml", "packages:\n- python\n- greeter\n- -m\n"),
        ("a.yml", "names: [\n  python,\n  greeter]\n"),
        ("a.yml", "args:\n- -c\n- echo\n- import greeter\n"),
        ("launch.json", '{"program": "${workspaceFolder}/ours/greeter.py", "cwd": "upstream"}'),
        ("a.yml", "args:\n- --name\n- greeter\n"),
        ("a.yml", "one:\n- python\n- -m\ntwo:\n- greeter\n"),
        ("a.yml", "one:\n- python\n  - -m\n    - greeter\n"),
        ("a.yml", "cmd:\n- git\n- commit\n- -m\n- greeter\n"),
        ("a.yml", "env:\n- name: UPSTREAM\n  value: upstream/src\n- name: PYTHONPATH\n  value: ours\n"),
        ("a.yml", "env:\n- name: PYTHONPATH\n  value: ours\n- name: PLACE\n  value: upstream/src\n"),
    ],
)
def test_words_that_start_nothing_are_none(tmp_path: Path, name: str, text: str) -> None:
    assert found(tmp_path, name, text) == []
