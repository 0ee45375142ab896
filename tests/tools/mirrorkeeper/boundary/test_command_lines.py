"""Lines of recipes, scripts and settings: which start the mirrored package, and which only look like it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.mirrorkeeper.boundary.commands.files import command_findings, read_commands
from tools.mirrorkeeper.boundary.package_names import PackageNames
from tools.mirrorkeeper.modules import Module

NAMES = PackageNames("greeter", ("upstream.src",))


def found(text: str, path: str = "run.sh") -> list[tuple[str, int]]:
    module = Module(path, text.encode())
    return [(one.code, one.line) for one in command_findings(module, NAMES, "upstream", Path("/"), "ours")]


@pytest.mark.parametrize(
    "line",
    [
        "python -m greeter",
        "python3.11 -m greeter.text",
        "python3 -Im greeter",
        "python -Bmgreeter",
        "python3 -X dev -m greeter",
        "python -P -I -m greeter",
        "python -W ignore -mgreeter",
        "pypy3 -m greeter",
        "py -3 -m greeter",
        '"$PYTHON" -m greeter',
        "$(PYTHON) -m greeter",
        "${VENV}/bin/python -m greeter",
        "$PY -m greeter",
        "uv run python -m greeter",
        "uv run -m greeter",
        "poetry run python -m greeter.text",
        "coverage run -m greeter",
        "coverage run --branch -m greeter",
        "env A=1 python3 -m greeter",
        "exec nice -n 5 python3 -m greeter",
        "python -m cProfile -m greeter",
        "python -m cProfile -o out -m greeter",
        "python -m pdb -m greeter.text",
        "python -m coverage run -m greeter",
        "python3 \\\n  -m greeter",
        "python3 -m upstream.src.greeter.text",
        "pytest -q -p greeter.text",
        "python -m pytest -p greeter.text",
        'addopts = ["-q", "-p", "greeter.text"]',
        "[pytest]\naddopts =\n    -p greeter.text",
        "python3 -c 'import greeter'",
        'python3 -c "import os, greeter"',
        "python3 -c 'from greeter import text'",
        "python3 -c 'from upstream.src import greeter'",
        "echo 'import greeter' | python3",
        "echo 'python -m greeter' > run.sh",
        'echo "$(python -m greeter)"',
        'echo "begin" && python -m greeter',
        'M=greeter; python3 -m "$M"',
        "export M=greeter.text\npython3 -m ${M}",
        "M := greeter\nrun:\n\tpython3 -m $(M)",
        "ENV M greeter\nENV N=greeter\nCMD python -m $N",
        'CMD ["python", "-m", "greeter"]',
        'image: python:3.12\nargs: ["-m", "greeter"]',
        'ENTRYPOINT ["python"]\nCMD ["-m", "greeter"]',
        "grep -q greeter setup.cfg && python -m greeter",
        'grep "import $(python -m greeter)" x',
        "#!/usr/bin/env -S python3 -m greeter",
        "echo it's # python -m greeter",
        "python3 upstream/src/greeter/text.py",
        "\tpython3 ./upstream/src/greeter/__main__.py --port 1",
        "exec python -X dev -B upstream/src/greeter",
        "$(PYTHON) upstream/src/greeter/deep/text.py",
        'CMD ["python3", "/app/upstream/src/greeter/text.py"]',
        "run: cd sub && python3.12 ../upstream/src/greeter/text.py",
        "[alias]\n\thi = !python3 -m greeter",
        'run() { python3 "$@"; }\nrun -m greeter',
        'run() { python3 "$@"; }; run -m greeter',
        'run () {\n  set -e\n  exec "$PYTHON" -X dev "${@}"\n}\nrun -B -m greeter.text',
        "function run() { python3 $*; }\nrun -m greeter",
        "alias run='python3 -X dev'\nrun -m greeter",
        "echo greeter | xargs python3 -m",
        "echo greeter.text | xargs -n 1 python3 -B -m",
        "printf 'greeter' | xargs -I {} python3 -m {}",
    ],
)
def test_a_line_that_starts_the_package_is_a_finding(line: str) -> None:
    assert [code for code, _ in found(line)] == ["IMP002"]


@pytest.mark.parametrize(
    "line",
    [
        "mkdir -p greeter",
        "mkdir -m 755 greeter",
        "git commit -m greeter",
        'git commit -m "greeter: say it"',
        "$(GIT) -C sub commit -m greeter",
        "cp -p greeter x",
        "tar -p greeter",
        "ssh -p greeter host",
        "pytest -m greeter",
        "python -m pytest -m greeter",
        "python3 -I -m pytest -x -m greeter",
        "coverage run -m pytest -m 'greeter and slow'",
        'addopts = "-m greeter"',
        '[tool.pytest.ini_options]\naddopts = ["-m", "greeter"]',
        "python -m alembic revision -m greeter",
        "args: -m greeter",
        'args: ["-m", "greeter"]',
        'args: ["-p", "greeter"]',
        'image: python:3.12\nargs: ["-p", "greeter"]',
        'grep -rn "import greeter" ours',
        "! git grep -E 'from greeter import' -- ours | head",
        '/usr/bin/grep "import greeter" x',
        "make -C greeter -m",
        "kubectl -n greeter get pods",
        "# python -m greeter",
        "\t@true # python -m greeter",
        "REM python -m greeter",
        'echo "python -m greeter is forbidden"',
        "@echo python -m greeter is forbidden >&2",
        "printf 'import greeter\\n'; true",
        "RUN echo 'python -m greeter' && true",
        'echo "import greeter to use it"',
        "name: greeter\nrun: python -m $other",
        "grep -rn greeter ours",
        "python -m greeters",
        "python -m compileall upstream/src/greeter",
        "python -m ruff check upstream/src/greeter/text.py",
        "ruff check upstream/src/greeter/text.py",
        "$(RUFF) upstream/src/greeter/text.py",
        "python3 ours/greeter/text.py",
        "python3 upstream/src/greeters/text.py",
        "python3 upstream/docs/build.py",
        "cat upstream/src/greeter/text.py",
        "python3 tools/count.py upstream/src/greeter",
        'git() { command git "$@"; }\ngit commit -m greeter',
        'say() { echo "$@"; }\npython x.py\nsay -m greeter',
        "grep -rl greeter ours | xargs python3 -m ruff check",
        "alias g=git\ng commit -m greeter; python x.py",
        "[alias]\n\thi = !git log upstream/src/greeter",
        "prepend_sys_path = .",
    ],
)
def test_a_line_that_only_looks_like_it_is_none(line: str) -> None:
    assert found(line) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (".husky/pre-commit", "python3 -m greeter\n"),
        (".husky/own", "python3 -m greeter\n"),
        (".githooks/post-merge", "python3 -m greeter\n"),
        ("x/pre-push", "python3 -m greeter\n"),
        (".gitconfig", "[alias]\n\thi = !python3 -m greeter\n"),
        ("x/gitconfig", "[alias]\n\thi = !python3 -m greeter\n"),
        ("a.Dockerfile", "FROM python\nRUN python -m greeter\n"),
        ("b.dockerfile", "ENV PYTHONPATH=/app/upstream/src\n"),
        ("crontab", "0 * * * * python3 -m greeter\n"),
        ("x.egg-link", "upstream/src\n."),
        ("alembic.ini", "[alembic]\nprepend_sys_path = %(here)s/upstream/src\n"),
    ],
)
def test_a_file_that_names_no_shell_is_read(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    module = read_commands(path, name)

    assert module is not None
    assert len(list(command_findings(module, NAMES, "upstream", tmp_path, "ours"))) == 1


def test_other_files_without_a_suffix_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("python3 -m greeter\n", encoding="utf-8")

    assert read_commands(tmp_path / "notes", "notes") is None


def test_a_command_that_goes_on_counts_by_its_first_line() -> None:
    assert found("true\npython3 \\\n  -B \\\n  -m greeter\ntrue\n") == [("IMP002", 2)]


def test_a_long_line_without_spaces_is_read_at_once() -> None:
    assert found("greeter " + "python" * 50_000 + "$" * 50_000) == []
