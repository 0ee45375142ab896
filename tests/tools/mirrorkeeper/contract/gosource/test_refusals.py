"""Handlers in Go source that are there and only ever refuse, and those that merely may."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.contract.gosource.trees import HEAD, surface_of
from tools.mirrorkeeper.contract.comparison import endpoint_findings
from tools.mirrorkeeper.contract.expectations import EndpointRow
from tools.mirrorkeeper.contract.history import holds

HANDLERS = {
    "c.JSON(http.StatusGone, gin.H{})": 410,
    "c.JSON(410, nil)": 410,
    "c.AbortWithStatus(404)": 404,
    "c.AbortWithStatusJSON(http.StatusNotFound, nil)": 404,
    'c.String(http.StatusNotImplemented, "no")': 501,
    "log()\n\tc.Status(410)": 410,
    "id := c.Param(`id`)\n\t_ = id\n\tc.JSON(410, nil)": 410,
    "c.JSON(410, nil)\n\treturn\n\tc.JSON(200, nil)": 410,
    "if x {\n\t\tc.JSON(410, nil)\n\t} else {\n\t\tc.JSON(404, nil)\n\t}": 404,
    "gone(c)": 410,
    "deeper(c)": 410,
    "c.JSON(200, nil)": 0,
    "c.JSON(status, nil)": 0,
    "if x {\n\t\tc.JSON(404, nil)\n\t\treturn\n\t}\n\tc.JSON(200, nil)": 0,
    "if x {\n\t\tc.JSON(200, nil)\n\t\treturn\n\t}\n\tc.JSON(404, nil)": 0,
    "if x {\n\t\treturn\n\t}\n\tc.JSON(404, nil)": 0,
    "if x {\n\t\tc.JSON(404, nil)\n\t}": 0,
    "serve(c)\n\tc.JSON(404, nil)": 0,
    "other.Serve(c.Writer, c.Request)\n\tc.JSON(404, nil)": 0,
    "c.File(`a`)\n\tc.Status(404)": 0,
    "switch x {\n\tcase 1:\n\t\tc.JSON(200, nil)\n\t}\n\tc.JSON(404, nil)": 0,
    "x()": 0,
    "": 0,
}
MORE = """
func gone(c *gin.Context) { c.JSON(http.StatusGone, nil) }
func deeper(c *gin.Context) { gone(c) }
func serve(c *gin.Context) { c.JSON(200, nil) }
"""


def source(body: str, *, literal: bool) -> str:
    handler = f"func(c *gin.Context) {{\n\t{body}\n}}" if literal else "h"
    named = "" if literal else f"func h(c *gin.Context) {{\n\t{body}\n}}\n"
    return f'{HEAD}{MORE}{named}func Start() {{\n\te := gin.New()\n\te.GET("/a", auth, {handler})\n\te.Run()\n}}\n'


MAIN = 'package main\n\nimport "example.test/gate/v7/api"\n\nfunc main() { api.Start() }\n'


@pytest.mark.parametrize("literal", [False, True], ids=["named", "written in place"])
@pytest.mark.parametrize("body", HANDLERS)
def test_a_handler_that_only_refuses_is_there_but_refused(tmp_path: Path, body: str, *, literal: bool) -> None:
    surface = surface_of(tmp_path, {"api/server.go": source(body, literal=literal), "main.go": MAIN})

    assert dict(surface.routes) == {"/a": frozenset({"GET"})}
    who = "the handler" if literal else "h"
    said = {("GET", "/a"): f"{who} always answers {HANDLERS[body]}"} if HANDLERS[body] else {}
    assert surface.refused == said


def test_a_method_that_refuses_is_found_in_another_package(tmp_path: Path) -> None:
    start = 'func Start() { e := gin.New(); e.PUT("/b", old.Gone); e.Run() }\n'
    api = f'{HEAD}import "example.test/gate/v7/old"\n\n{start}'
    old = "package old\n\nfunc Gone(ctx *gin.Context) { ctx.AbortWithStatus(410) }\n"
    surface = surface_of(tmp_path, {"api/server.go": api, "old/old.go": old, "main.go": MAIN})

    assert surface.refused == {("PUT", "/b"): "Gone always answers 410"}


def test_an_endpoint_that_only_refuses_is_a_finding_and_holds_in_no_release(tmp_path: Path) -> None:
    surface = surface_of(tmp_path, {"api/server.go": source("c.JSON(410, nil)", literal=False), "main.go": MAIN})
    row = EndpointRow("GET", "/a", "the list")

    (finding,) = endpoint_findings([row], surface, "v1")
    assert finding.code == "CON017"
    assert "GET /a is there, but always refuses: h always answers 410; the list relies on it" in finding.message
    assert not holds(row, surface)
