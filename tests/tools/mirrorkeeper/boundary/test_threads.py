"""Imports in threads whose target is a library's importer: the audit names the line that started the thread."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repository.tracked import ROOT
from tests.tools.mirrorkeeper.boundary.test_audit import heard

NAME = "bytes.fromhex('677561726465642e696e6e6572').decode()"
JOINED = """import threading, {library}
t = threading.{thread}; t.start(); t.join(); [t.join() for t in threading.enumerate()[1:]]
"""
RAW = f"""
import _thread, weakref, {{library}}
class Empty(dict): pass
ended, argument = _thread.allocate_lock(), Empty()
ended.acquire()
weakref.finalize(argument, ended.release)
_thread.start_new_thread({{target}}, ({NAME}, argument))
del argument
ended.acquire()
"""
"""A thread without an object: its arguments go when its target has returned."""
IN_THREADS = [
    ("builtins", f"Thread(target=vars(builtins)['__imp' + 'ort__'], args=({NAME},))"),
    ("pkgutil", f"Thread(target=pkgutil.resolve_name, args=({NAME},))"),
    ("pydoc", f"Timer(0, pydoc.locate, ({NAME},))"),
    ("runpy", f"Thread(target=runpy.run_module, args=({NAME},))"),
    ("pickle", f"Thread(target=pickle.loads, args=(b'c' + {NAME}.encode() + b'\\nx\\n.',))"),
    ("unittest.mock", f"Thread(target=unittest.mock.patch({NAME} + '.x').start)"),
]
STARTED = "ours.py:2 starts a thread that imports guarded"


@pytest.mark.slow
@pytest.mark.parametrize(("library", "thread"), IN_THREADS, ids=[one[0] for one in IN_THREADS])
@pytest.mark.parametrize("before", [(), ("allowed",)], ids=["first", "loaded already"])
def test_the_line_that_started_the_thread_is_blamed(
    tmp_path: Path, library: str, thread: str, before: tuple[str, ...]
) -> None:
    said = heard(tmp_path, JOINED.format(library=library, thread=thread), *before)

    assert said != [""]
    assert all(line.startswith(STARTED) for line in said), said


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "import concurrent.futures.thread as c; c.ThreadPoolExecutor().submit(pydoc.locate, NAME).result()",
        "import asyncio; asyncio.run(asyncio.to_thread(pydoc.locate, NAME))",
        "import multiprocessing.pool as m; p = m.ThreadPool(1); p.apply(pydoc.locate, (NAME,)); p.terminate()",
    ],
)
def test_a_thread_of_a_pool_leads_to_the_line_that_made_it_start(tmp_path: Path, text: str) -> None:
    said = heard(tmp_path, f"import pydoc\n{text.replace('NAME', NAME)}\n")

    assert said != [""]
    assert all(line.startswith(STARTED) for line in said), said


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        RAW.format(library="pydoc", target="pydoc.locate"),
        RAW.format(library="pydoc", target="__import__"),
        f"import pydoc, exempt; exempt.pool.submit(pydoc.locate, {NAME}).result()",
    ],
    ids=["started without an object", "no frame at all", "handed to another's pool"],
)
def test_an_importer_that_cannot_be_named_is_reported_as_unknown_code(tmp_path: Path, text: str) -> None:
    pool = "from concurrent.futures import ThreadPoolExecutor\npool = ThreadPoolExecutor()\npool.submit(int).result()\n"
    (tmp_path / "exempt.py").write_text(pool, encoding="utf-8")

    said = heard(tmp_path, text)

    assert said != [""]
    assert all(line.startswith("unknown code imports guarded") for line in said), said


@pytest.mark.slow
def test_a_thread_that_an_allowed_file_started_is_silent(tmp_path: Path) -> None:
    text = JOINED.format(library="pydoc", thread="Thread(target=pydoc.locate, args=('guarded.inner',))")
    assert heard(tmp_path, text, name="exempt") == [""]


@pytest.mark.slow
def test_a_thread_that_a_thread_starts_is_of_whoever_started_the_first(tmp_path: Path) -> None:
    inner = f"threading.Timer(0, pydoc.locate, ({NAME},))"
    text = JOINED.format(library="pydoc", thread=f"Thread(target={inner}.start)")
    said = heard(tmp_path, text)

    assert said != [""]
    assert all(line.startswith(STARTED) for line in said), said


CONFTEST = """
from pathlib import Path
from tools.mirrorkeeper.boundary.audit import ImportAudit
from tools.mirrorkeeper.declaration.boundary import BoundaryDeclaration

audit = ImportAudit(Path(__file__).parent, BoundaryDeclaration("guarded", "", (), (), "names.toml"), "lib")
audit.install()

def pytest_runtest_teardown():
    assert not audit.taken()
"""


@pytest.mark.slow
def test_tests_of_the_package_itself_are_collected_in_silence(tmp_path: Path) -> None:
    (tmp_path / "lib/guarded").mkdir(parents=True)
    (tmp_path / "lib/guarded/__init__.py").write_text("", encoding="utf-8")
    (tmp_path / "lib/guarded/test_own.py").write_text("import guarded\ndef test_it(): pass\n", encoding="utf-8")
    (tmp_path / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir=.", "lib"]
    paths = {"PYTHONPATH": f"{ROOT}", "PATH": os.environ["PATH"]}

    subprocess.run(command, cwd=tmp_path, check=True, env=paths)
