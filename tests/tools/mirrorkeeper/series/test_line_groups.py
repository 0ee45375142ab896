from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tools.mirrorkeeper.series.line_groups import LineGroup, groups_of
from tools.mirrorkeeper.series.sections import sections_of

PATCH = b"""diff --git a/a.py b/a.py
index 1111111..2222222 100644
--- a/a.py
+++ b/a.py
@@ -1,7 +1,7 @@
 first
-removed_statement(one)
-
+added_statement(one)
+added_statement(two)
 between
-x
+y
 last
@@ -20,2 +20,3 @@ def f():
 context
+another_statement(three)
\\ No newline at end of file
"""
LINES = st.lists(st.sampled_from([b"a", b"b", b"", b"ab"]), max_size=8)


def test_groups_are_runs_of_one_sign_that_are_distinctive() -> None:
    (section,) = sections_of(PATCH)

    assert list(groups_of(section)) == [
        LineGroup(False, (b"removed_statement(one)",)),
        LineGroup(True, (b"added_statement(one)", b"added_statement(two)")),
        LineGroup(True, (b"another_statement(three)",)),
    ]


@given(LINES, LINES.filter(len))
def test_the_count_is_that_of_a_plain_comparison_line_by_line(lines: list[bytes], wanted: list[bytes]) -> None:
    windows = [lines[at : at + len(wanted)] for at in range(len(lines) - len(wanted) + 1)]

    content = b"".join(line + b"\n" for line in lines)

    assert LineGroup(True, tuple(wanted)).count(content) == sum(one == wanted for one in windows)
