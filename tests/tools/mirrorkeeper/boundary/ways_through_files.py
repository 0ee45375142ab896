"""Ways to reach a guarded package through files, paths, processes and loaded modules: a table, as `ways_in_source`."""

# ruff: noqa: E501 - one way, one line

from __future__ import annotations

import io
import json
import zipfile

from tests.tools.mirrorkeeper.boundary.ways_in_source import AUDIT, BOTH, DOTTED, PACKAGE, SOURCE, STATIC, Way

LOADER = "from importlib.machinery import SourceFileLoader"
IMPORT = b"import guarded\n"


def archive(**texts: str) -> bytes:
    """A zip file with modules of these names."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        for name, text in texts.items():
            file.writestr(f"{name}.py", text)
    return packed.getvalue()


def path_then(statement: str, folder: str = PACKAGE) -> str:
    return f"import sys\nsys.path.insert(0, '{folder}')\n{statement}"


THROUGH_FILES = (
    # Paths and loaders.
    Way("the package's own folder on the path", AUDIT, path_then("import inner")),
    Way("its folder put together", AUDIT, "import sys\nsys.path += ['/'.join(['mirror', 'gateway', 'src', 'guar' + 'ded'])]\nimport inner"),
    Way("its folder by a Path", AUDIT, "import sys\nfrom pathlib import Path\nsys.path.append(str(Path('mirror') / 'gateway' / 'src' / 'guarded'))\nimport inner"),
    Way("site folder", AUDIT, f"import site\nsite.addsitedir('{PACKAGE}')\nimport inner"),
    Way("path of our own package", AUDIT, f"__path__ = ['{PACKAGE}']\nimport ours.inner"),
    Way("source loader", AUDIT, f"{LOADER}\nSourceFileLoader('mine', '{PACKAGE}/inner.py').load_module()"),
    Way("source loader of a sum", AUDIT, f"{LOADER}\nSourceFileLoader('mine', '{SOURCE}/guar' + 'ded/inner.py').load_module()"),
    Way("spec of a file", AUDIT, f"from importlib import util as u\ns = u.spec_from_file_location('mine', '{PACKAGE}/inner.py')\ns.loader.exec_module(u.module_from_spec(s))"),
    Way("loader by another name", AUDIT, f"import importlib.machinery as m\nL = getattr(m, 'SourceFile' + 'Loader')\nL('mine', '{SOURCE}/' + 'guarded/inner.py').load_module()"),
    Way("finder of a folder", AUDIT, f"from importlib.machinery import FileFinder, {LOADER.rsplit(maxsplit=1)[-1]}\nFileFinder('{SOURCE}/' + 'guarded', (SourceFileLoader, ['.py'])).find_spec('inner').loader.load_module('inner')"),
    Way("linked folder", BOTH, "import alias.inner", {"alias": b"-> " + PACKAGE.encode()}),
    Way("linked file", BOTH, "import one", {"one.py": b"-> " + f"{PACKAGE}/inner.py".encode()}),
    Way("link made at run time", AUDIT, f"import os\nos.symlink('{SOURCE}/' + 'guarded', 'later')\nimport later.inner"),
    Way("copy made at run time", AUDIT, f"import shutil\nshutil.copytree('{SOURCE}/' + 'guarded', 'later')\nimport later.inner"),
    Way("pth with an import", STATIC, "", {"x.pth": IMPORT}),
    Way("pth with a plain path", STATIC, "", {"x.pth": f"{PACKAGE}\n".encode()}),
    Way("pth with a path beside it", STATIC, "", {"lib/x.pth": f"../{SOURCE}\n".encode()}),
    # Files that hold Python.
    Way("stub", STATIC, "", {"x.pyi": IMPORT}),
    Way("windowed script", STATIC, "", {"x.pyw": IMPORT}),
    Way("conftest", STATIC, "", {"deep/conftest.py": IMPORT}),
    Way("script without a suffix", STATIC, "", {"bin/x": b"#!/usr/bin/env python3\n" + IMPORT}),
    Way("script of a versioned interpreter", STATIC, "", {"bin/x": b"#! /usr/bin/python3.13 -I\n" + IMPORT}),
    Way("script of another runner", STATIC, "", {"bin/x": b"#!/usr/bin/env -S uv run --script\n" + IMPORT}),
    Way("script with a dot in its name", STATIC, "", {"bin/x.1": b"#!/usr/bin/env python3\n" + IMPORT}),
    Way("shell and Python in one", STATIC, "", {"bin/x": b"#!/bin/sh\n'''exec' python3 \"$0\" \"$@\"\n' '''\n" + IMPORT}),
    Way("suffix in capitals", STATIC, "", {"x.PY": IMPORT}),
    Way("notebook", STATIC, "", {"x.ipynb": json.dumps({"cells": [{"cell_type": "code", "source": IMPORT.decode()}]}).encode()}),
    Way("archive that imports it", BOTH, "import sys\nsys.path.insert(0, 'a.zip')\nimport packed", {"a.zip": archive(packed="import guarded\n")}),
    Way("application in an archive", STATIC, "", {"a.pyz": b"#!/usr/bin/env python3\n" + archive(__main__="import guarded\n")}),
    Way("module in another file", BOTH, "exec(open('x.txt').read())", {"x.txt": IMPORT}),
    Way("UTF-7", BOTH, "import other", {"other.py": b"# coding: utf-7\nimport gu+AGE-rded\n"}),
    Way("byte order mark", BOTH, "import other", {"other.py": b"\xef\xbb\xbf" + IMPORT}),
    Way("template that is rendered", STATIC, "", {"x.py.in": IMPORT}),
    # Processes and their settings.
    Way("process with -m", BOTH, "import subprocess, sys\nsubprocess.run([sys.executable, '-m', 'guarded'])"),
    Way("process with -m in one word", BOTH, "import subprocess, sys\nsubprocess.run([sys.executable, '-mguarded'])"),
    Way("process with -c", BOTH, "import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'import guarded'])"),
    Way("process with -c of a sum", BOTH, "import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'import ' + 'guar' + 'ded'])"),
    Way("process with a file of it", AUDIT, f"import subprocess, sys\nsubprocess.run([sys.executable, '{PACKAGE}/inner.py'])"),
    Way("process by a shell", BOTH, "import os\nos.system('python3 -m guarded')"),
    Way("process by spawn", BOTH, "import os, sys\nos.spawnv(os.P_WAIT, sys.executable, ['p', '-m', 'guar' + 'ded'])"),
    Way("process with -m by the mirror's path", BOTH, f"import subprocess, sys\nsubprocess.run([sys.executable, '-m', '{DOTTED}'])"),
    Way("recipe with the mirror's path", STATIC, "", {"Makefile": f"run:\n\tpython3 -m {DOTTED}.inner\n".encode()}),
    Way("recipe of a Makefile", STATIC, "", {"Makefile": b"run:\n\tpython3 -m guarded.inner\n"}),
    Way("path of a Makefile", STATIC, "", {"Makefile": f"run:\n\tPYTHONPATH={PACKAGE} python3 -m inner\n".encode()}),
    Way("shell script", STATIC, "", {"run.sh": b"python3 -c 'import guarded'\n"}),
    Way("path of a shell script", STATIC, "", {"run.sh": f"export PYTHONPATH=$PWD/{PACKAGE}\n".encode()}),
    Way("workflow", STATIC, "", {".github/workflows/x.yml": f"env:\n  PYTHONPATH: {SOURCE}\n".encode()}),
    Way("command of a Dockerfile", STATIC, "", {"Dockerfile": b'CMD ["python", "-m", "guarded"]\n'}),
    Way("environment file", STATIC, "", {".env": f"PYTHONPATH={SOURCE}\n".encode()}),
    Way("entry point of pyproject", STATIC, "", {"pyproject.toml": b'[project.scripts]\nx = "guarded.inner:main"\n'}),
    Way("entry point of setup.cfg", STATIC, "", {"setup.cfg": b"[options.entry_points]\nconsole_scripts =\n  x = guarded:main\n"}),
    Way("plugin of pytest", STATIC, "", {"pytest.ini": b"[pytest]\naddopts = -p guarded.inner\n"}),
    # Modules that are loaded already.
    Way("sys.modules", STATIC, "import sys\nsys.modules['guarded']", loaded=True),
    Way("sys.modules of a sum", STATIC, "import sys\nsys.modules['guar' + 'ded']", loaded=True),
    Way("sys.modules by get", STATIC, "import sys\nsys.modules.get('guarded')", loaded=True),
    Way("sys.modules by another name", STATIC, "from sys import modules as m\nm['guar' + 'ded']", loaded=True),
    Way("sys.modules by vars", STATIC, "import sys\nvars(sys)['modules']['guar' + 'ded']", loaded=True),
    Way("all of sys.modules", STATIC, "import sys\n[m for n, m in sys.modules.items() if n.startswith('guar')]", loaded=True),
    Way("handed on by an importer", AUDIT, "from allowed import guarded", loaded=True),
    Way("import again", BOTH, "__import__('guar' + 'ded.inner')", loaded=True),
    Way("reload", BOTH, "import importlib, sys\nimportlib.reload(sys.modules['guarded'])", loaded=True),
    Way("under its name", BOTH, "import builtins\nexec(\"getattr(builtins, '__imp' + 'ort__')('guar' + 'ded')\", {'__name__': 'guarded', 'builtins': builtins})", loaded=True),
    Way("a name that pretends", BOTH, "import builtins\n__name__ = 'guarded'\ngetattr(builtins, '__imp' + 'ort__')('guar' + 'ded')"),
)  # fmt: skip
