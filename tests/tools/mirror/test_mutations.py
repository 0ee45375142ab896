"""Each mutation of the table is found by the gates."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.tools.mirror.mutations import MUTATIONS, Mutation
from tests.tools.mirror.project import WHO, Fork, Upstream
from tools.mirror.entry import write_entry
from tools.mirror.errors import ToolError
from tools.mirror.gates import run_gates

SOURCE = """import sys
from . import naming


def main(argv=None):
    application = naming.greeting("world")
    return naming.serve(application)


if __name__ == "__main__":
    sys.exit(main())
"""
NAMING = b"def greeting(name):\n    return name\n\n\ndef serve(application):\n    print(application)\n    return 0\n"
ENTRY = """
[entry]
source = "src/pkg/__main__.py"
target = "ours/_generated.py"
package = "pkg"
imports = ["from ours.hook import extend"]
header = ["flake8: noqa"]

[[entry.anchors]]
name = "build"
statement = "application = naming.greeting('world')"
insert_after = "application = extend(application)"
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Fork:
    """A clean project at the newer of two bundled releases, with a patch and a generated entry."""
    folder = tmp_path_factory.mktemp("mutated")
    upstream = Upstream(folder / "work")
    files = {"src/pkg/__init__.py": b"", "src/pkg/__main__.py": SOURCE.encode(), "src/pkg/naming.py": NAMING}
    upstream.commit({**files, "README.md": b"upstream\n"}, tag="v1.0.0")
    upstream.commit({"CHANGES.md": b"more\n"}, tag="v1.1.0")
    mail = upstream.mail({"README.md": b"ours\n"}, "ours\n\nWhy: a name\nDrop-When: never")
    fork = Fork.make(folder / "fork", "mirror/upstream", ENTRY, {"p0.patch": mail})
    upstream.bundle(fork.root / "mirror/upstream", "v1.0.0")
    upstream.bundle(fork.root / "mirror/upstream", "v1.1.0", "v1.0.0")
    fork.sync("v1.1.0")
    write_entry(fork.declaration)
    fork.commit()
    assert codes_of(fork) == set()
    return fork


def codes_of(fork: Fork) -> set[str]:
    """Return the codes that the gates find; `!` when one could not check."""
    return {code for code, _ in findings_of(fork)}


def findings_of(fork: Fork) -> list[tuple[str, str]]:
    """Return code and text of what the gates find; `!` when one could not check."""
    try:
        report = run_gates(fork.declaration)
    except ToolError as error:
        return [("!", error.message)]
    rows = [(row.code, f"{row.message}; {row.hint}") for row in report.findings if row.code != "MIR011"]
    return rows + [("!", text) for text in report.unchecked.values()]


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.name)
def test_every_mutation_is_found_by_the_gates(made: Fork, tmp_path: Path, mutation: Mutation) -> None:
    fork = made.copy(tmp_path / "fork")
    words = ["sh", "-ec", mutation.command]
    subprocess.run(words, cwd=fork.root, env=os.environ | WHO, check=True, capture_output=True)

    findings, expected = findings_of(fork), set(mutation.codes.split())

    codes = {code for code, text in findings if mutation.words in text}
    assert codes & expected if expected else not findings


def test_the_table_is_large_and_names_each_mutation_once() -> None:
    names = [mutation.name for mutation in MUTATIONS]
    assert len(names) == len(set(names))
    assert len(names) >= 80
