from __future__ import annotations

import colorsys
import subprocess
import sys
from types import ModuleType

import pytest

from tools.deferred import DeferredModule, defer


def test_a_deferred_module_is_loaded_once_when_a_name_of_it_is_used() -> None:
    loaded: list[ModuleType] = []

    def load() -> ModuleType:
        loaded.append(colorsys)
        return colorsys

    module = DeferredModule("colours", load)
    assert loaded == []
    assert (module.rgb_to_hsv, module.hsv_to_rgb) == (colorsys.rgb_to_hsv, colorsys.hsv_to_rgb)
    assert loaded == [colorsys]
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = module.no_such_name


def test_what_was_imported_already_stays_what_it_is() -> None:
    before = sys.modules["subprocess"]
    defer({"subprocess": lambda: colorsys})

    assert sys.modules["subprocess"] is before


def test_a_quick_check_loads_neither_click_nor_what_is_seldom_used() -> None:
    script = (
        "import sys\nfrom tools.deferred import defer\ndefer()\nfrom tools.cli import main\n"
        "status = main(['-C', '/nonexistent', 'mirror', 'verify', '--bytes'])\n"
        "late = [name for name in ('click', 'ast', 'tokenize', 'difflib', 'json') if name in sys.modules]\n"
        "print(status, late)\n"
    )
    answer = subprocess.run([sys.executable, "-S", "-c", script], capture_output=True, text=True, check=False)

    assert answer.stdout == "2 []\n"
    assert answer.stderr.startswith("error: /nonexistent is not a folder")
