"""The example of a contract in the documentation works as it stands."""

from __future__ import annotations

import re

import pytest

from tests.repository.tracked import ROOT
from tests.tools.mirrorkeeper.repositories import Fork
from tools.mirrorkeeper.contract.check import Contract

pytestmark = pytest.mark.slow

DOCUMENT = (ROOT / "docs/mirrorkeeper.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(toml|python)\n(.*?)^```$", DOCUMENT, re.MULTILINE | re.DOTALL)


@pytest.fixture
def example(fork: Fork) -> Fork:
    """A project with the declaration and the files of the example, and an upstream that offers them."""
    (declared,) = [text for kind, text in BLOCKS if kind == "toml" and text.startswith("[contract]")]
    with fork.project.declaration_path.open("a", encoding="utf-8") as stream:
        stream.write(declared)
    for text in (text for kind, text in BLOCKS if kind == "python" and text.startswith("# ours/")):
        place = fork.root / text.splitlines()[0].removeprefix("# ")
        place.parent.mkdir(exist_ok=True)
        place.write_text(text, encoding="utf-8")
    package = fork.mirror / "src/greeter"
    package.mkdir()
    (package / "routes.py").write_text("ROUTES = [('GET', '/v1/greeting')]\nKEYS = ['server.port']\n", encoding="utf-8")
    return fork


def test_the_example_is_clean(example: Fork) -> None:
    report = Contract(example.project).report()

    assert report.findings == ()
    assert report.checks[0].summary.startswith("1 endpoints and 1 keys held against 1 routes")


def test_what_is_gone_is_found_in_it(example: Fork) -> None:
    (example.mirror / "src/greeter/routes.py").write_text("ROUTES = [('GET', '/')]\nKEYS = []\n", encoding="utf-8")

    assert {one.code for one in Contract(example.project).report().findings} == {"CON004", "CON006"}


def test_a_path_that_is_written_out_is_found_in_it(example: Fork) -> None:
    (example.root / "ours/client.py").write_text("URL = '/v1/greeting'\n", encoding="utf-8")

    assert Contract(example.project).report().findings
