"""Names of the definitions around a line, by indentation alone."""

from __future__ import annotations

import pytest

from tools.mirrorkeeper.series.enclosing import enclosing

PLACES = {
    "python": ("class A:\n    def f(\n        self,\n    ) -> None:\n        if x:\n", 12, ("A", "f")),
    "python, decorated": ("class A(B):\n    @cached\n    async def f(self):\n\n        # why\n", 8, ("A", "f")),
    "go": ("func (s *Server) Handle(c *Context) {\n\tswitch x {\n\tcase 1:\n", 16, ("Server.Handle",)),
    "go, split parameters": ("func handle(\n\ta int,\n) error {\n", 8, ("handle",)),
    "go, a structure": ("type Config struct {\n\tName string\n", 8, ("Config",)),
    "rust": ("impl Server {\n    pub fn run(&self) -> bool {\n        loop {\n", 12, ("Server", "run")),
    "java": ("public class A {\n    private static int f(int x) {\n", 8, ("A", "f")),
    "c": ("static int\n*name(struct s *x)\n{\n", 4, ()),
    "c, one line": ("static int name(struct s *x)\n{\n", 4, ("name",)),
    "javascript": ("export function f(a) {\n  return new Promise((go) => {\n", 4, ("f",)),
    "after the end of another": ("def f():\n    pass\n\n", 0, ()),
    "javascript, an object": ("export const handlers = {\n  start: function () {\n", 4, ("handlers", "start")),
    "javascript, an arrow": ("const handlers = {\n  'start': async (a, b) => {\n", 4, ("handlers", "start")),
    "javascript, a method": ("const handlers = {\n  async start(request) {\n    if (x) {\n", 6, ("handlers", "start")),
    "javascript, a constant": ("export const start = async (request) => {\n  foreach (x) {\n", 4, ("start",)),
    "go, a function in a variable": ("var start = func(a int) error {\n\tstop := func() {\n", 16, ("start", "stop")),
    "shell": ("start_all() {\n  while read -r x; do\n", 4, ("start_all",)),
    "yaml": ("server:\n  limits:\n", 4, ("server", "limits")),
    "json": ('{\n  "server": {\n', 4, ("server",)),
    "python, blocks": ("def f():\n    try:\n        else:\n", 12, ("f",)),
    "c++, a label": ("class A {\npublic:\n", 2, ()),
    "a block that is no function": ("var (\n\ta = 1\n", 8, ()),
}


@pytest.mark.parametrize("name", PLACES)
def test_the_enclosing_definitions(name: str) -> None:
    above, indent, names = PLACES[name]

    assert enclosing(above.encode().split(b"\n")[:-1], (b"", b" " * indent + b"added()")) == names
