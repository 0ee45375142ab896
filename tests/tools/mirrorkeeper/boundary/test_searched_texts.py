"""A text that is only looked for is none; the same look around one that may run is one."""

from __future__ import annotations

import ast

import pytest

from tools.mirrorkeeper.boundary.package_names import PackageNames
from tools.mirrorkeeper.boundary.references import references
from tools.mirrorkeeper.boundary.texts.worth_reading import may_refer

NAMES = PackageNames("greeter", ("upstream.src",))
EACH = "import pytest\n@pytest.mark.parametrize('one', ['import greeter'])\n"
READ = "text = open('x').read()\n"
CASE = "import unittest\nclass T(unittest.TestCase):\n    def test(self):\n        "
RUN = "import subprocess\nsubprocess.run({})"


def found(text: str) -> int:
    count = len(list(references(ast.parse(text), NAMES, "ours", "ours.part")))
    assert not count or may_refer(text, NAMES)
    return count


SEARCHED = [
    READ + "assert text.find('import greeter') == -1",
    READ + "assert text.find('greeter.text') == -1",
    READ + "if text.count('from greeter import x') > 0: pass",
    READ + "assert not text.startswith('import greeter')",
    READ + "assert text.lower().rfind('import greeter') < 0",
    READ + "lines = text.splitlines()\nassert lines.count('import greeter') == 0",
    READ + "assert not [one for one in text.splitlines() if one.startswith('import greeter')]",
    "def check(text: str):\n    assert text.index('import greeter') == 0",
    "assert 'import greeter.text'.startswith('import')",
    "assert 'greeter.text' not in text",
    CASE + "self.assertNotIn('import greeter', text)",
    CASE + "self.assertIn('greeter.text', text)",
    CASE + "self.assertNotRegex(text, 'from greeter import')",
    CASE.replace("import unittest", "from unittest import TestCase").replace("unittest.T", "T")
    + "self.assertIn('import greeter', text)",
    "import re\nassert not re.search('import greeter', text)",
    "import re\nassert re.match(r'import greeter', text) is None",
    "import re\nassert re.findall('import greeter', text) == []",
    "import re\ndef f(text):\n    pattern = re.compile('import greeter')\n    assert not pattern.search(text)",
    "import pytest\nwith pytest.raises(ValueError, match='import greeter'):\n    f()",
    EACH.replace("r'", "r', 'from greeter import x'") + "def test(one):\n    assert one not in text",
    "for one in ('import greeter', 'from greeter import x'):\n    assert one not in text",
    "assert not any(one in text for one in ['import greeter'])",
    RUN.format("['grep', '-rn', 'from greeter import', 'ours']"),
    RUN.format("['git', 'log', '--grep', 'import greeter'], capture_output=True, text=True"),
    RUN.format("['git', 'log', '-Simport greeter'], check=True"),
    RUN.format("['git', 'grep', '-n', 'import greeter']"),
]


@pytest.mark.parametrize("text", SEARCHED)
def test_a_text_that_is_only_looked_for_is_none(text: str) -> None:
    assert found(text) == 0


BOX = "class Box:\n    def find(self, text): run(text)\n"
RUNS = [
    # Something of the file's own has the name.
    BOX + READ + "assert text.find('import greeter') == -1",
    "class Box:\n    find = run\n" + READ + "assert text.find('import greeter') == -1",
    "Box.find = run\n" + READ + "assert text.find('import greeter') == -1",
    "setattr(Box, 'find', run)\n" + READ + "assert text.find('import greeter') == -1",
    "Box = type('Box', (), dict(find=run))\n" + READ + "assert text.find('import greeter') == -1",
    "class Box:\n    def __getattr__(self, name): return run\n" + READ + "assert text.find('import greeter') == -1",
    "from box import text\nassert text.find('import greeter') == -1",
    "from box import box\ntext = box\nassert text.find('import greeter') == -1",
    READ + "text = Box()\nassert text.find('import greeter') == -1",
    READ + "with Box() as text:\n    assert text.find('import greeter') == -1",
    "def check(text):\n    assert text.find('import greeter') == -1",
    "def str(x): return Box()\nassert str(1).find('import greeter') == -1",
    CASE + "self.assertIn('import greeter', text)\n    def assertIn(self, text, other): run(text)",
    CASE + "self = box\n        self.assertIn('import greeter', text)",
    CASE.replace("unittest.TestCase", "Own") + "self.assertIn('import greeter', text)",
    CASE.replace("unittest.TestCase", "unittest.TestCase, Own") + "self.assertIn('import greeter', text)",
    "from own import TestCase\n" + CASE.replace("unittest.T", "T") + "self.assertIn('import greeter', text)",
    "import unittest\nunittest.TestCase.assertIn = run\n" + CASE + "self.assertIn('import greeter', text)",
    CASE + "self.assertIn(text, 'import greeter')",
    CASE + "self.assertIn('greeter.text', sys.modules)",
    CASE + "self.assertEqual('import greeter', text)",
    # Another module stands behind the name.
    "import own as re\nassert not re.search('import greeter', text)",
    "from own import re\nassert not re.search('import greeter', text)",
    "from own import *\nimport re\nassert not re.search('import greeter', text)",
    "import re\nre = Box()\nassert not re.search('import greeter', text)",
    "import re\nre.search = run\nassert not re.search('import greeter', text)",
    "import re\nsetattr(re, name, run)\nassert not re.search('import greeter', text)",
    "import re\nvars(re).update(x)\nassert not re.search('import greeter', text)",
    "import re\nre.__dict__.update(x)\nassert not re.search('import greeter', text)",
    "import re\nother = re\nother.search = run\nassert not re.search('import greeter', text)",
    "import re, sys\nsetattr(sys.modules['re'], name, run)\nassert not re.search('import greeter', text)",
    "import re\npatch('re.search', run)\nassert not re.search('import greeter', text)",
    "import re\nglobals()['re'] = Box()\nassert not re.search('import greeter', text)",
    "def f(re):\n    assert not re.search('import greeter', text)",
    # What was found, or the pattern, is handed on.
    "import re\nrun(re.search('import greeter', text).group())",
    "import re\nrun(re.findall('import greeter', text))",
    "import re\nrun(re.compile('import greeter').pattern)",
    "import re\nPATTERN = re.compile('import greeter')\nassert not PATTERN.search(text)",
    "import re\ndef f():\n    p = re.compile('import greeter')\n    assert not p.search(text)\n    run(p.pattern)",
    "import re\ndef f():\n    p = re.compile('import greeter')\n    assert not p.search(text)\n    return p",
    "import re\ndef f():\n    p = re.compile('import greeter')\n    run(locals())",
    "import re\nassert re.search(text, 'import greeter')",
    "import re\nassert re.sub('x', 'import greeter', text)",
    READ + "run(text[text.find('import greeter'):])",
    READ + "assert text.replace('x', 'import greeter')",
    "def f():\n    assert 'import greeter' not in text\nrun(f.__code__.co_consts)",
    # A text that is searched for and run.
    READ + "assert text.find('import greeter') == -1\nrun('import greeter')",
    "import pytest\nrun(pytest.raises(ValueError, match='import greeter').match_expr)",
    "import own as pytest\nwith pytest.raises(ValueError, match='import greeter'):\n    f()",
    EACH + "def test(one):\n    assert one not in run(one)",
    EACH + "def test(one):\n    assert run(one)",
    EACH.replace("'])", "'], indirect=True)") + "def test(one):\n    assert one not in text",
    EACH + "def test(one, request):\n    assert one not in text\n    run(request.node.callspec)",
    EACH + "def test(one, request):\n    assert one not in text\n    run(request.getfixturevalue('one'))",
    EACH + "def test(one):\n    assert text in one",
    "import pytest\n@pytest.mark.own('one', ['import greeter'])\ndef test(one):\n    assert one not in text",
    "TABLE = ('import greeter',)\nassert not any(one in text for one in TABLE)",
    "for one in ('import greeter',):\n    assert one not in text\n    run(one)",
    "for one in ('import greeter',):\n    assert one not in text\nrun(one)",
    "for one in ('import greeter',):\n    assert one not in text\n    run(locals())",
    "run([one for one in ['import greeter'] if one in text])",
    "for one in (table := ['import greeter']):\n    assert one not in text",
    "class Box:\n    def __contains__(self, x): run(x)\nfor one in ('import greeter',):\n    assert one not in Box()",
    # A process that is another one.
    RUN.format("['python', '-c', 'import greeter']"),
    RUN.format("['grep', 'import greeter'], executable='python'"),
    RUN.format("['grep', 'import greeter'], shell=True"),
    RUN.format("['grep', 'import greeter'], env=own"),
    RUN.format("['grep', 'import greeter'], **own"),
    RUN.format("['bin/grep', 'import greeter']"),
    RUN.format("[tool, 'import greeter']"),
    RUN.format("['rg', '--pre', 'python -m greeter', 'x']"),
    RUN.format("['git', 'bisect', 'run', 'python', '-c', 'import greeter']"),
    RUN.format("['git', 'commit', '--exec', 'import greeter']"),
    RUN.format("['git', '-c', 'core.pager=python -m greeter', 'log', '--grep', 'import x']"),
    RUN.format("['git', 'log', 'x', 'import greeter']"),
    RUN.format("['grep', 'import greeter; python -c \"import greeter\"']"),
    "import os\nos.environ['PATH'] = 'ours'\n" + RUN.format("['grep', 'import greeter']"),
    "import own as subprocess\nsubprocess.run(['grep', 'import greeter'])",
    "import subprocess\nsubprocess.run = run\nsubprocess.run(['grep', 'import greeter'])",
    "import subprocess\nsubprocess.Own(['grep', 'import greeter'])",
    "run(['grep', 'import greeter'])",
]


@pytest.mark.parametrize("text", RUNS)
def test_the_same_look_around_a_text_that_may_run_is_found(text: str) -> None:
    assert found(text)
