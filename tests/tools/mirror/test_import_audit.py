"""Imports are heard however they are written: all ways run in one process, with the audit on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.repository.tracked import ROOT
from tests.tools.mirror.checked_project import PACKAGE, make_project, write

WAYS = (
    "import guarded",
    "from guarded import inner",
    "import importlib; importlib.import_module('guar' + 'ded')",
    "from importlib import import_module as load; load('.inner', 'guarded')",
    "__import__(''.join(['guarded']))",
    "exec('import ' + 'guarded')",
    "import pkgutil; pkgutil.resolve_name('guarded' + ':inner')",
    "import runpy; runpy.run_module('guarded' + '.inner')",
    "import runpy; runpy.run_path(FILE)",
    "import pydoc; pydoc.locate('guarded' + '.inner')",
    "b = __builtins__; (b if isinstance(b, dict) else vars(b))['__import__']('guarded')",
    "from importlib.metadata import EntryPoint; EntryPoint('a', 'guar' + 'ded:inner', 'b').load()",
    "exec('from .inner import x', {'__package__': 'guar' + 'ded'})",
    "exec('from ..inner import x', {'__package__': 'guar' + 'ded.other'})",
    "import sys; getattr(sys.modules['_frozen_importlib'], '_gcd' + '_import')('guar' + 'ded')",
    "import importlib; importlib.__import__('guar' + 'ded')",
    "import importlib.util as u; s = u.spec_from_file_location('z', FILE); s.loader.exec_module(u.module_from_spec(s))",
    "exec(compile(open(FILE).read(), FILE, 'exec'))",
    "import os; os.system('true || python -m ' + 'guarded')",
    "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import ' + 'guarded'])",
    "from adapter import handed; from adapter.handed import inner",
)
HARMLESS = (
    "import pickle; assert pickle.loads(pickle.dumps(__import__)) is __import__",
    "import inspect; assert __import__.__name__ == '__import__'; inspect.signature(__import__)",
    "__import__(name='json', fromlist=['decoder'], level=0)",
    "import adapter",
    "import exempt",
    "import guarded_too",
    "from parts.guarded import x",
    "from parts import guarded",
)
WATCH = """
import sys
from contextlib import suppress
from pathlib import Path
from tools.mirror.declaration import read_declaration
from tools.mirror.import_audit import ImportAudit

root = Path(sys.argv[1])
sys.path[:0] = [str(root), str(root / "mirror/gateway/src")]
audit = ImportAudit(read_declaration(root))
audit.install()
for name in sys.argv[2:]:
    with suppress(ImportError):
        __import__(name)
    print(*audit.taken(), sep="; ")
"""


def heard(root: Path, texts: tuple[str, ...], *before: str) -> list[str]:
    """For each text the importers that are heard when a module with it is imported, after other modules."""
    make_project(root)
    for name, text in {
        "mirror/gateway/src/guarded/late.py": "from . import inner\nfrom .inner import x\n",
        "adapter/handed.py": "from guarded import inner\n",
        "exempt.py": "from guarded import late\n",
        "parts/__init__.py": "from . import guarded\n",
        "parts/guarded.py": "x = 1\n",
        "guarded_too.py": "",
    }.items():
        write(root, name, text)
    declared = root / "mirror/upstream.toml"
    declared.write_text(declared.read_text().replace('exempt = ["tests"]', 'exempt = ["exempt.py"]'))
    names = [f"way_{number}" for number, _ in enumerate(texts)]
    for name, text in zip(names, texts, strict=True):
        write(root, f"{name}.py", f"# one\n{text.replace('FILE', repr(str(root / PACKAGE / 'inner.py')))}\n")
    command = [sys.executable, "-c", WATCH, str(root), *before, *names]
    lines = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    return lines[len(before) :]


@pytest.mark.parametrize("before", [(), ("adapter",)], ids=["first", "loaded already"])
def test_every_way_to_import_is_heard_with_the_line_of_our_own_code(tmp_path: Path, before: tuple[str, ...]) -> None:
    lines = heard(tmp_path, WAYS, *before)

    silent = [text for text, line in zip(WAYS, lines, strict=True) if not line]
    assert silent == []
    assert all(f"way_{number}.py:2 imports " in line for number, line in enumerate(lines)), lines


def test_importers_exempt_files_namesakes_and_the_package_itself_are_silent(tmp_path: Path) -> None:
    assert heard(tmp_path, HARMLESS) == [""] * len(HARMLESS)
