"""Rules for every file."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from tests.repository.tracked import ROOTS, hand_written, text_of, tracked_files

LINES = 400
CODE = (".py", ".js", ".ts", ".tsx", ".css", ".html")
# The default index and the file host behind it, spelled so that this file passes its own rule.
REGISTRIES = ("pypi" + ".org", "python" + "hosted.org", "npmjs" + ".org", "proxy.golang" + ".org", "crates" + ".io")
REAL_KEYS = re.compile(
    r"\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{32,}|AIza[0-9A-Za-z_-]{35}|-----BEGIN [A-Z ]*PRIVATE KEY-----"
)


def test_no_hand_written_file_is_longer_than_one_concept() -> None:
    lengths = {name: len(text_of(name).splitlines()) for name in hand_written(*CODE)}

    assert {name: count for name, count in lengths.items() if count > LINES} == {}


def test_no_file_names_a_package_registry() -> None:
    naming = [name for name in tracked_files() for host in REGISTRIES if host in text_of(name)]

    assert naming == []


def test_no_file_holds_what_looks_like_a_real_key() -> None:
    holding = [name for name in tracked_files() if not name.endswith(".bundle") and REAL_KEYS.search(text_of(name))]

    assert holding == []


def test_every_package_folder_is_a_package() -> None:
    folders = {PurePosixPath(name).parent for name in hand_written(".py")}
    packages = {PurePosixPath(name).parent for name in hand_written("__init__.py")}
    code = {folder for folder in folders if folder.parts and folder.parts[0] in ROOTS}

    assert {str(folder) for folder in code - packages if "versions" not in folder.parts} == set()


def test_nothing_is_left_unfinished_in_the_code() -> None:
    marks = re.compile("TO" + "DO|FIX" + "ME|X" + "XX|NotImplemented" + "Error|type: ignore$", re.MULTILINE)
    unfinished = [name for name in hand_written(*CODE) if marks.search(text_of(name))]

    assert unfinished == []
