"""Imports are heard however they are written: each way in runs in a process of its own, with the audit on."""

from __future__ import annotations

import compileall
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repository.tracked import ROOT

pytestmark = pytest.mark.slow

WATCH = """
import importlib.metadata
import sys
from pathlib import Path
from tools.mirrorkeeper.boundary.audit import ImportAudit
from tools.mirrorkeeper.declaration.boundary import BoundaryDeclaration

root = Path(sys.argv[1])
sys.path[:0] = [str(root), str(root / "lib")]
rules = BoundaryDeclaration("guarded", "", ("allowed.py",), (), "names.toml", exempt=("exempt.py",))
audit = ImportAudit(root, rules, "lib")
audit.install()
for name in sys.argv[2:]:
    __import__(name)
audit.uninstall()
print(*audit.taken(), sep=chr(10))
"""


def heard(folder: Path, text: str, *before: str, name: str = "ours") -> list[str]:
    """The importers that are heard when the module `ours`, with that text, is imported, after other modules."""
    (folder / "lib/guarded").mkdir(parents=True, exist_ok=True)
    (folder / "lib/guarded/__init__.py").write_text("from guarded import inner\n", encoding="utf-8")
    (folder / "lib/guarded/inner.py").write_text("x = 1\n", encoding="utf-8")
    (folder / "allowed.py").write_text("import guarded.inner\n", encoding="utf-8")
    (folder / f"{name}.py").write_text(text, encoding="utf-8")
    command = [sys.executable, "-c", WATCH, str(folder), *before, name]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\n")[:-1]


@pytest.mark.parametrize(
    "text",
    [
        "import guarded",
        "from guarded import inner",
        "import importlib; importlib.import_module('guar' + 'ded')",
        "from importlib import import_module as load; load('.inner', 'guarded')",
        "__import__(''.join(['guarded']))",
        "exec('import ' + 'guarded')",
        "import pkgutil; pkgutil.resolve_name('guarded' + ':inner')",
        "import runpy; runpy.run_module('guarded' + '.inner')",
        "import pydoc; pydoc.locate('guarded' + '.inner')",
        "b = __builtins__; (b if isinstance(b, dict) else vars(b))['__import__']('guarded')",
        "from importlib.metadata import EntryPoint; EntryPoint('a', 'guar' + 'ded:inner', 'b').load()",
        "from importlib.metadata import EntryPoint; EntryPoint('a', 'guar' + 'ded.inner', 'b').load()",
        "exec('from .inner import x', {'__package__': 'guar' + 'ded'})",
        "exec('from .inner import x', {'__package__': None, '__name__': 'guar' + 'ded.other'})",
        "exec('from ..inner import x', {'__package__': 'guar' + 'ded.other'})",
        "import sys; getattr(sys.modules['_frozen_importlib'], '_gcd' + '_import')('guar' + 'ded')",
        "import sys; b = sys.modules['_frozen_importlib']; b._find_and_load('guar' + 'ded.inner', b._gcd_import)",
        "import importlib; importlib.__import__('guar' + 'ded')",
    ],
)
@pytest.mark.parametrize("before", [(), ("allowed",)], ids=["first", "loaded already"])
def test_every_way_to_import_is_heard_with_the_line_of_our_own_code(
    tmp_path: Path, text: str, before: tuple[str, ...]
) -> None:
    said = heard(tmp_path, f"# one\n{text}\n", *before)
    assert said
    assert all(line.startswith("ours.py:2 imports guarded") for line in said), said


@pytest.mark.parametrize("before", [(), ("allowed",)], ids=["first", "loaded already"])
def test_relative_imports_of_another_package_and_of_the_package_itself_are_silent(
    tmp_path: Path, before: tuple[str, ...]
) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts/__init__.py").write_text("from . import guarded; from .guarded import x\n", encoding="utf-8")
    (tmp_path / "parts/guarded.py").write_text("x = 1\n", encoding="utf-8")
    (tmp_path / "lib/guarded").mkdir(parents=True)
    lazy = "def late():\n    from . import inner\n    from .inner import x\n    return x\n"
    (tmp_path / "lib/guarded/late.py").write_text(lazy, encoding="utf-8")
    (tmp_path / "exempt.py").write_text("from guarded.late import late\n", encoding="utf-8")

    assert heard(tmp_path, "import parts, exempt; exempt.late()", *before) == [""]


def test_importers_exempt_files_and_the_package_itself_are_silent(tmp_path: Path) -> None:
    assert heard(tmp_path, "import guarded", "allowed", name="exempt") == [""]


COPYING = """
import shutil, sys
shutil.copytree("{project}/lib/guarded", "{project}/../g2")
open("{project}/../g2/__init__.py", "w").close()
sys.path.insert(0, "{project}/..")
from g2 import longer
"""


@pytest.mark.parametrize("warm", [False, True], ids=["cold", "with compiled files"])
def test_a_copy_that_the_test_made_is_heard_with_and_without_compiled_files(tmp_path: Path, warm: bool) -> None:
    project = tmp_path / "project"
    package = project / "lib/guarded"
    package.mkdir(parents=True)
    (package / "longer.py").write_text("value_of_the_package = 'one'\n", encoding="utf-8")
    if warm:
        compileall.compile_dir(package, quiet=2)

    assert heard(project, COPYING.format(project=project)) == ["ours.py:6 imports guarded/longer.py"]


def test_a_package_that_only_begins_like_it_is_another(tmp_path: Path) -> None:
    (tmp_path / "guarded_too.py").write_text("", encoding="utf-8")
    assert heard(tmp_path, "import guarded_too") == [""]


@pytest.mark.parametrize(
    "text",
    [
        "import pickle; assert pickle.loads(pickle.dumps(__import__)) is __import__",
        "import importlib, pickle; pickle.dumps(importlib.import_module)",
        "import inspect; assert __import__.__name__ == '__import__'; inspect.signature(__import__)",
        "__import__(name='json', fromlist=['decoder'], level=0)",
        """
try:
    __import__(7)
except TypeError:
    pass
""",
        """
import sys, types
asked = []
lazy = sys.modules["lazy"] = types.ModuleType("lazy")
def made_when_asked(name):
    if name != "made":
        raise AttributeError(name)
    asked.append(name)
lazy.__getattr__ = made_when_asked
from lazy import made
assert asked.count("made") == 1, asked
""",
    ],
)
def test_a_program_does_the_same_as_without_the_audit(tmp_path: Path, text: str) -> None:
    (tmp_path / "plain.py").write_text(text, encoding="utf-8")
    subprocess.run([sys.executable, "plain.py"], cwd=tmp_path, check=True)

    assert heard(tmp_path, text) == [""]
