"""An import path that a Go file or a script only asks for is none; the same look around one that is used is one."""

from __future__ import annotations

import pytest

from tools.mirrorkeeper.boundary.go_code.commands import go_command_findings
from tools.mirrorkeeper.boundary.go_code.references import Guarded, go_references
from tools.mirrorkeeper.modules import Module

GUARDED = Guarded(("example.com/up",), "mirror/up", ("mirror/up",))
BODY = 'package a\n\nimport "strings"\n\nfunc f(s string) {{\n\t{}\n}}\n'


def found(text: str) -> int:
    return len(list(go_references(Module("a.go", text.encode()), GUARDED)))


@pytest.mark.parametrize(
    "text",
    [
        BODY.format('g(strings.Contains(s, "example.com/up/sdk"))'),
        BODY.format('if strings.HasPrefix(s, "example.com/" + "up") {}'),
        BODY.format("_ = strings.HasSuffix(s, `example.com/up`)"),
    ],
)
def test_a_path_that_is_only_asked_for_is_none(text: str) -> None:
    assert found(text) == 0


@pytest.mark.parametrize(
    "text",
    [
        BODY.format('g(strings.TrimSuffix(s, "example.com/up/sdk"))'),
        BODY.format('g(strings.Contains(s, h("example.com/up/sdk")))'),
        BODY.format('g(strings.Contains(s, "x"), "example.com/up/sdk")'),
        BODY.format('var strings own\n\tstrings.Contains(s, "example.com/up/sdk")'),
        BODY.format('for _, strings := range owns {\n\tstrings.Contains(s, "example.com/up/sdk")\n}'),
        BODY.replace('"strings"', '"example.com/own/strings"').format('_ = strings.Contains(s, "example.com/up/sdk")'),
        BODY.replace('"strings"', 'strings "own"').format('_ = strings.Contains(s, "example.com/up/sdk")'),
        BODY.replace('"strings"', '. "own"\nimport "strings"').format('_ = strings.Contains(s, "example.com/up/sdk")'),
        BODY.replace('"strings"', '"fmt"').format('_ = strings.Contains(s, "example.com/up/sdk")'),
    ],
)
def test_a_path_that_something_else_is_given_is_found(text: str) -> None:
    assert found(text) == 1


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ('ls mirror/up\necho "go run example.com/up/cmd is not ours"\n', []),
        ('echo "go run ./mirror/up"\necho "go run example.com/up"\n', []),
        ('ls mirror/up\necho "go run example.com/up/cmd" | sh\n', [2]),
        ('ls mirror/up\necho "x"; go run example.com/up/cmd\n', [2]),
        ("echo example.com/up\ngo run ./mirror/up/cmd\n", [2]),
        ("ls mirror/up\nM=example.com/up\ngo run $M\n", [3]),
    ],
)
def test_a_command_that_is_only_shown_is_none(text: str, lines: list[int]) -> None:
    assert [one.line for one in go_command_findings(Module("x.sh", text.encode()), GUARDED, "ours")] == lines
