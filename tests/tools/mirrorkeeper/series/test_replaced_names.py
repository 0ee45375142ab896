"""Names of Python that are bound again below the lines of a patch."""

from __future__ import annotations

import pytest

from tools.mirrorkeeper.series.replaced_names import replaced_names
from tools.mirrorkeeper.series.sections import sections_of

HEAD = b"diff --git a/m.py b/m.py\nindex 1111111..2222222 100644\n--- a/m.py\n+++ b/m.py\n"
FIRST = b"def f():\n    match x:\n        case 1:\n            first = 1\n            return 1\n"
TWICE = FIRST + b"\n\ndef f():\n    return 2\n"
HUNKS = {
    "added within a case": (
        b"@@ -4,2 +4,3 @@\n             first = 1\n+            second = 2\n             return 1\n",
        "f",
    ),
    "removed": (b"@@ -3,3 +3,2 @@\n         case 1:\n-            first = 1\n             return 1\n", "f"),
    "in the second": (b"@@ -8,2 +8,3 @@\n def f():\n+    second = 2\n     return 2\n", ""),
    "no context, added after line 4": (b"@@ -4,0 +5 @@\n+            second = 2\n", "f"),
    "two hunks": (
        b"@@ -0,0 +1 @@\n+# one\n@@ -8,2 +9,3 @@\n def f():\n+    second = 2\n     return 2\n",
        "",
    ),
    "no Python": (b"@@ -4,0 +5 @@\n+            second = = 2\n", ""),
}


@pytest.mark.parametrize("case", HUNKS)
def test_names_that_are_bound_again_below_a_hunk(case: str) -> None:
    hunks, name = HUNKS[case]
    (section,) = sections_of(HEAD + hunks)

    assert dict(replaced_names(section, TWICE)) == ({name: "def f():"} if name else {})
