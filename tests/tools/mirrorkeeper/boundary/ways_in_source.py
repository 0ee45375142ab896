"""Ways to reach a guarded package that a person can write into a module: a table, written before the nets were run."""

# ruff: noqa: E501 - one way, one line

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

STATIC = frozenset({"static"})
AUDIT = frozenset({"audit"})
BOTH = STATIC | AUDIT


class Way(NamedTuple):
    """One way: its name, the nets that have to see it, `ours.py` (empty: none is run), and more files.

    With `loaded`, an allowed module has imported the package before.
    """

    name: str
    seen: frozenset[str]
    code: str
    files: Mapping[str, bytes] = {}
    loaded: bool = False


SOURCE = "mirror/gateway/src"
PACKAGE = f"{SOURCE}/guarded"
DOTTED = PACKAGE.replace("/", ".")

# Each makes a command that names the package; `no-python` is not there to be started.
PIECES = (
    "os.system('no-py' 'thon -c \"import guar' 'ded\"')",
    "os.system('no-python -c \"import guar' + 'ded\"')",
    "os.system('no-python -c \"import %s%s\"' % ('guar', 'ded'))",
    "os.system('no-python -m %(a)sded' % {'a': 'guar'})",
    "os.system('no-python -m {1}{0}'.format('ded', 'guar'))",
    "os.system('no-python -m {a}{b}'.format(a='guar', b='ded'))",
    "os.system(f\"no-python -m {'guar'}{'ded'}\")",
    "os.system(''.join(['no-python -m ', 'gua', 'rd', 'ed']))",
    "os.system('no-python -m ' + 'dedraug'[::-1])",
    "os.system('no-python -m ' + chr(103) + 'uarded')",
    "os.system('no-python -m ' + 'guar' * 1 + 'ded')",
    "os.system('no-python -m guarXded'.replace('X', ''))",
    "os.system((b'no-python -m guar' + b'ded').decode())",
    "os.system('no-python -c \"__import__(\\'guar' + 'ded\\')\"')",
    "os.system('no-python -c \"import os, guar' + 'ded\"')",
    "A = 'guar'; B = 'ded'\nos.system('no-python -m ' + A + B)",
    "A = 'guar'\nA += 'ded'\nos.system('no-python -m ' + A)",
    "subprocess.run(['no-python', '-m', 'guar' + 'ded'])",
    "subprocess.run(['no-python', '-' + 'm', 'guar' 'ded'])",
    "subprocess.run([sys.executable + '-no', '-c', 'import guar' + 'ded'])",
    "os.execl('/no-python', 'python', '-m', 'guar' + 'ded')",
    "os.execvp('no-python', ['python', '-m', 'guar' + 'ded'])",
    "os.spawnlp(os.P_WAIT, 'no-python', 'python', '-m', 'guar' + 'ded')",
)

BUILT_IN = (
    "from builtins import __import__ as z\nz('guar' + 'ded')",
    "from builtins import exec as z\nz('import guar' + 'ded')",
    "import builtins as b\nb.exec('import guar' + 'ded')",
    "import builtins\nbuiltins.exec('import guar' + 'ded')",
    "import builtins\nrun = builtins.eval\nrun('__import__(\"guar' + 'ded\")')",
    "import builtins\ngetattr(builtins, 'exec')('import guar' + 'ded')",
    "import builtins\nvars(builtins)['exec']('import guar' + 'ded')",
    "import builtins\nbuiltins.__dict__['eval']('__import__(\"guar' + 'ded\")')",
)

IN_SOURCE = (
    Way("standard input of a process, as bytes", STATIC, "import subprocess, sys\nsubprocess.run([sys.executable, '-'], input=b'import guarded')"),
    Way("folder that is run as a script", AUDIT, f"import subprocess, sys\nsubprocess.run([sys.executable, '{PACKAGE}'])"),
    *(Way(f"built-in function {number}", BOTH, code) for number, code in enumerate(BUILT_IN)),
    # Statements.
    Way("import", BOTH, "import guarded"),
    Way("second of several", BOTH, "import os, sys, guarded.inner as os2"),
    Way("from", BOTH, "from guarded.inner import x"),
    Way("star", BOTH, "from guarded import *"),
    Way("after a semicolon", BOTH, "x = 1; import guarded"),
    Way("in parentheses over lines", BOTH, "from guarded import (\n    inner,\n)"),
    Way("continued twice", BOTH, "from \\\n guarded \\\n import inner"),
    Way("full-width first letter", BOTH, "import \uff47uarded"),
    Way("full-width throughout", BOTH, "from \uff47\uff55\uff41\uff52\uff44\uff45\uff44 import inner"),
    Way("mathematical letters", BOTH, "import \U0001d420\U0001d42e\U0001d41a\U0001d42b\U0001d41d\U0001d41e\U0001d41d"),
    Way("full-width name of a call", BOTH, "__\uff49mport__('guarded')"),
    Way("form feed between words", BOTH, "import\x0cguarded"),
    Way("tab between words", BOTH, "from\tguarded\timport\tinner"),
    Way("in a function that runs", BOTH, "def go():\n    import guarded\ngo()"),
    Way("in a function that never runs", STATIC, "def go():\n    import guarded"),
    Way("in a class body", BOTH, "class A:\n    import guarded"),
    Way("in a lambda", BOTH, "(lambda: __import__('guarded'))()"),
    Way("in a comprehension", BOTH, "[__import__(n) for n in ('guarded',)]"),
    Way("in a default argument", BOTH, "def f(x=__import__('guarded')): ..."),
    Way("in a decorator", BOTH, "@(lambda f: __import__('guarded'))\ndef f(): ..."),
    Way("in a handler", BOTH, "try:\n    import no_such\nexcept ImportError:\n    import guarded"),
    Way("in a match", BOTH, "match 1:\n    case 1:\n        import guarded"),
    Way("in a formatted text", BOTH, "f\"{__import__('guarded')}\""),
    Way("behind a condition that is false", STATIC, "if 0 > 1:\n    import guarded"),
    # By the path of the mirrored folder: folders without `__init__` are packages as well.
    Way("import by the mirror's path", BOTH, f"import {DOTTED}.inner"),
    Way("from the package by the mirror's path", BOTH, f"from {DOTTED} import inner"),
    Way("from the folder above it", BOTH, f"from {DOTTED.rpartition('.')[0]} import guarded"),
    Way("from the folder above it over lines", BOTH, f"from {DOTTED.rpartition('.')[0]} import (\n    guarded,\n)"),
    Way("for types by the mirror's path", STATIC, f"from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import {DOTTED}"),
    Way("call by the mirror's path", BOTH, f"__import__('{DOTTED}.inner')"),
    Way("text with the mirror's path", STATIC, f"PLACE = '{DOTTED}.inner'"),
    Way("relative from beside the mirror", BOTH, "import mirror.ours", {"mirror/ours.py": b"from .gateway.src.guarded import inner\n"}),
    Way("call relative from beside the mirror", BOTH, "import mirror.ours", {"mirror/ours.py": b"import importlib\nimportlib.import_module('.gateway.src.guarded', __package__)\n"}),
    # Calls.
    Way("two literals side by side", BOTH, "__import__('guar' 'ded')"),
    Way("escape in octal", BOTH, "__import__('\\147uarded')"),
    Way("escape by name", BOTH, "__import__('\\N{LATIN SMALL LETTER G}uarded')"),
    Way("sum of two texts", BOTH, "import importlib\nimportlib.import_module('guar' + 'ded')"),
    Way("joined letters", BOTH, "__import__(''.join(chr(c) for c in b'guarded'))"),
    Way("another name of the importer", BOTH, "load = __import__\nload('guar' + 'ded')"),
    Way("importer from a tuple", BOTH, "(__import__,)[0]('guar' + 'ded')"),
    Way("importer by getattr", BOTH, "import builtins\ngetattr(builtins, '__import__')('guar' + 'ded')"),
    Way("importer by getattr of a sum", AUDIT, "import builtins\ngetattr(builtins, '__imp' + 'ort__')('guar' + 'ded')"),
    Way("importer by vars", BOTH, "import builtins\nvars(builtins)['__import__']('guar' + 'ded')"),
    Way("importer by dict", AUDIT, "import builtins\nbuiltins.__dict__['__imp' + 'ort__']('guar' + 'ded')"),
    Way("importer by partial", BOTH, "import functools\nfunctools.partial(__import__, 'guar' + 'ded')()"),
    Way("importer by map", BOTH, "list(map(__import__, ['guar' + 'ded']))"),
    Way("library by another name", BOTH, "import importlib as i\nm = i.import_module\nm('guar' + 'ded')"),
    Way("library by getattr", BOTH, "import importlib\ngetattr(importlib, 'import_module')('guar' + 'ded')"),
    Way("inner importer of the library", BOTH, "from importlib._bootstrap import _gcd_import\n_gcd_import('guarded')"),
    Way("relative to a text", BOTH, "import importlib\nimportlib.import_module('.inner', 'guar' + 'ded')"),
    Way("find and load", BOTH, "from importlib.util import find_spec\nfind_spec('guarded').loader.load_module('guarded')"),
    Way("resolve a name", BOTH, "import pkgutil\npkgutil.resolve_name('guar' + 'ded')"),
    Way("walk the packages", BOTH, f"import pkgutil\n[m.module_finder.find_spec(m.name).loader.load_module(m.name) for m in pkgutil.iter_modules(['{SOURCE}'])]"),
    Way("run a module", BOTH, "import runpy\nrunpy.run_module('guarded')"),
    Way("run a path", AUDIT, f"import runpy\nrunpy.run_path('{PACKAGE}/inner.py')"),
    Way("run a computed path", AUDIT, f"import runpy\nrunpy.run_path('/'.join('{SOURCE}/guar|ded/inner.py'.replace('|', '').split('/')))"),
    Way("entry point", AUDIT, "from importlib.metadata import EntryPoint\nEntryPoint('a', 'guarded:inner', 'b').load()"),
    Way("entry point of a sum", AUDIT, "from importlib.metadata import EntryPoint\nEntryPoint('a', 'guar' + 'ded:inner', 'b').load()"),
    Way("unpickled name", AUDIT, "import pickle\npickle.loads(b'cguarded.inner\\nx\\n.')"),
    Way("logging configuration", BOTH, "import logging.config as c\nc.dictConfig({'version': 1, 'filters': {'f': {'()': 'guarded.inner.F'}}})"),
    Way("ctypes", AUDIT, "import ctypes\nctypes.pythonapi.PyImport_ImportModule(b'guar' + b'ded')"),
    Way("mock of a name", BOTH, "from unittest import mock\nmock.patch('guarded.inner.x', 2).start()"),
    # Text that is run.
    Way("exec", BOTH, "exec('import guarded')"),
    Way("exec of bytes", BOTH, "exec(b'import guarded')"),
    Way("exec in exec", BOTH, "exec(\"exec('import guarded')\")"),
    Way("exec by another name", BOTH, "run = exec\nrun('import ' + 'guar' + 'ded')"),
    Way("exec of a sum", BOTH, "exec('import ' + 'guar' + 'ded')"),
    Way("exec of compiled", BOTH, "exec(compile('import guarded', 'x', 'exec'))"),
    Way("exec of a text turned round", BOTH, "exec('dedraug tropmi'[::-1])"),
    Way("exec of base64", BOTH, "import base64\nexec(base64.b64decode('aW1wb3J0IGd1YXJkZWQ='))"),
    Way("exec of the mirrored file", BOTH, f"exec(open('{PACKAGE}/inner.py').read())"),
    Way("function of compiled mirrored text", AUDIT, f"import types\ntypes.FunctionType(compile(open('{PACKAGE}/inner.py').read(), 'x', 'exec'), {{}})()"),
    Way("mirrored text by another name of exec", BOTH, f"run = exec\nrun(open('{PACKAGE}/inner.py').read())"),
    Way("timeit", BOTH, "import timeit\ntimeit.timeit('import guarded', number=1)"),
    # Commands put together from pieces.
    *(Way(f"command of pieces {number}", BOTH, f"import os, subprocess, sys\n{code}") for number, code in enumerate(PIECES)),
    Way("interactive console", BOTH, "import code\ncode.InteractiveInterpreter().runsource('import ' + 'guarded')"),
    Way("named tuple of annotations", AUDIT, "import typing\ndef f(a: \"__import__('guar' + 'ded')\"): ...\ntyping.get_type_hints(f)"),
)  # fmt: skip
