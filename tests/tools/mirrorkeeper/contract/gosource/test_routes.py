from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tools.mirrorkeeper.contract.gosource.trees import HEAD, routes_of
from tools.mirrorkeeper.contract.gosource.packages import Universe
from tools.mirrorkeeper.contract.gosource.routes import Routes
from tools.mirrorkeeper.contract.gosource.syntax import parse_file
from tools.mirrorkeeper.errors import ToolError

SERVER = (
    HEAD
    + """type Server struct {
	engine *gin.Engine
	mgmt   *gin.RouterGroup
}
"""
)


def in_function(body: str) -> dict[str, str]:
    return {"internal/api/server.go": f"{SERVER}\nfunc (s *Server) routes() {{\n{body}\n}}\n"}


def test_groups_and_nested_groups_give_full_paths(tmp_path: Path) -> None:
    body = """
	s.engine.GET("/healthz", health)
	mgmt := s.engine.Group("/v0/management")
	mgmt.Use(auth())
	{
		mgmt.GET("/config", get)
		files := mgmt.Group("auth-files/")
		files.PATCH("/status", set)
		files.DELETE("", remove)
	}
	s.engine.Group("/a").Group("/b").POST("c", post)
"""
    assert routes_of(tmp_path, in_function(body)) == [
        "DELETE /v0/management/auth-files",
        "GET /healthz",
        "GET /v0/management/config",
        "PATCH /v0/management/auth-files/status",
        "POST /a/b/c",
    ]


def test_methods_in_other_files_and_functions_that_take_a_group_are_followed(tmp_path: Path) -> None:
    files = {
        "internal/api/server.go": SERVER + 'func (s *Server) start() {\n\tg := s.engine.Group("/v1")\n\ts.more(g)\n'
        '\tregister(g, "x")\n\ts.mgmt = s.engine.Group("/m")\n}\n',
        "internal/api/more.go": HEAD + 'func (s *Server) more(r gin.IRoutes) {\n\tr.GET("/models", models)\n}\n'
        'func (s *Server) later() {\n\ts.mgmt.PUT("/debug", debug)\n}\n',
        "internal/api/register.go": HEAD
        + 'func register(router *gin.RouterGroup, name string) {\n\trouter.POST("/chat", chat)\n}\n'
        'func nobodyCallsMe(router *gin.RouterGroup) {\n\trouter.POST("/ghost", ghost)\n}\n',
    }
    assert routes_of(tmp_path, files) == ["GET /v1/models", "POST /v1/chat", "PUT /m/debug"]


def test_a_group_is_followed_into_another_package_and_out_of_a_function(tmp_path: Path) -> None:
    files = {
        "internal/api/server.go": 'package api\n\nimport (\n\t"github.com/gin-gonic/gin"\n'
        '\tother "example.test/gate/v7/internal/other"\n)\n\n'
        "func group(e *gin.Engine) *gin.RouterGroup {\n\tmade := e.Group(other.Prefix)\n\treturn made\n}\n"
        'func start(e *gin.Engine) {\n\tg := group(e)\n\tg.GET("/here", h)\n\tother.Register(g)\n}\n',
        "internal/other/other.go": 'package other\n\nimport "github.com/gin-gonic/gin"\n\n'
        'const root = "/v0"\nconst Prefix = root + "/management"\n\n'
        'func Register(g *gin.RouterGroup) { g.DELETE("/there", h) }\n',
    }
    assert routes_of(tmp_path, files) == ["DELETE /v0/management/there", "GET /v0/management/here"]


def test_every_way_to_register_is_read(tmp_path: Path) -> None:
    files = {
        "main.go": 'package main\n\nimport (\n\t"net/http"\n\t"github.com/gin-gonic/gin"\n)\n\n'
        "func main() {\n\tr := gin.New()\n"
        '\tr.Handle(http.MethodPut, "/handled", h)\n\tr.Match([]string{"GET", http.MethodPost}, "/matched", h)\n'
        '\tr.StaticFile("/icon", "x.png")\n\tr.GET("/users/:id/*rest", h)\n\tr.Run()\n}\n'
    }
    assert routes_of(tmp_path, files) == [
        "GET /icon",
        "GET /matched",
        "GET /users/{}/{}",
        "HEAD /icon",
        "POST /matched",
        "PUT /handled",
    ]


def test_any_stands_for_every_method(tmp_path: Path) -> None:
    routes = routes_of(tmp_path, in_function('\ts.engine.Any("/all", h)'))

    assert {line.split()[0] for line in routes} >= {"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"}


def test_odd_formatting_and_comments_do_not_confuse(tmp_path: Path) -> None:
    body = """
	// s.engine.GET("/commented", h)
	/* s.engine.GET("/also/commented", h) */
	text := `s.engine.GET("/in/a/text", h)`
	_ = text
	group :=
		s.engine.
			Group( /* here */ "/spread" )
	group.
		GET(
			"/out", // the path
			func(c *gin.Context) { c.String(200, "GET(\\"/no\\")") },
		)
	var (
		prefix        = "/made"
		other, unused = s.engine.Group(prefix + "/of"), 1
	)
	other.POST(`/parts`, h); other.GET(("/in") + "/brackets", h)
"""
    assert routes_of(tmp_path, in_function(body)) == [
        "GET /made/of/in/brackets",
        "GET /spread/out",
        "POST /made/of/parts",
    ]


def test_a_name_means_what_the_nearest_block_says(tmp_path: Path) -> None:
    body = """
	g := s.engine.Group("/outer")
	if true {
		g := g.Group("/inner")
		g.GET("/a", h)
	}
	g.GET("/b", h)
	g = s.engine.Group("/later")
	g.GET("/c", h)
	func() { g.GET("/d", h) }()
	client.GET("/not/a/route", h)
	http.Handle("/not/gin", h)
"""
    assert routes_of(tmp_path, in_function(body)) == [
        "GET /later/c",
        "GET /later/d",
        "GET /outer/b",
        "GET /outer/inner/a",
    ]


def test_files_outside_of_the_build_do_not_count(tmp_path: Path) -> None:
    def file(route: str, before: str = "") -> str:
        return f'{before}{HEAD}func f(e *gin.Engine) {{ e.GET("{route}", h) }}\n'

    files = {
        "api/built.go": file("/built"),
        "api/linux.go": file("/linux", "//go:build linux && !windows\n\n"),
        "api/old_form.go": file("/old", "// +build linux darwin\n\n"),
        "api/ignored.go": file("/ignored", "// a comment first\n\n//go:build ignore\n\n"),
        "api/other.go": file("/other", "//go:build (windows || darwin) && cgo\n\n"),
        "api/server_windows.go": file("/windows"),
        "api/server_linux_amd64.go": file("/machine"),
        "api/server_test.go": file("/test"),
        "vendor/x/x.go": file("/vendor"),
        "examples/x/main.go": file("/example"),
    }
    assert routes_of(tmp_path, files) == ["GET /built", "GET /linux", "GET /machine", "GET /old"]


def test_functions_that_call_each_other_come_to_an_end(tmp_path: Path) -> None:
    files = {
        "api/round.go": HEAD + "func make() *gin.RouterGroup { return make() }\n"
        'func a(g *gin.RouterGroup) { g.GET("/a", h); b(g.Group("/x")) }\nfunc b(g *gin.RouterGroup) { a(g) }\n'
        'func start(e *gin.Engine) { make().GET("/never", h); e.GET("/ok", h); b(e.Group("/g")) }\n'
    }
    assert "GET /ok" in routes_of(tmp_path, files)


def test_a_file_that_does_not_parse_loses_only_what_is_broken(tmp_path: Path) -> None:
    files = {
        "api/good.go": HEAD + 'func f(e *gin.Engine) { e.GET("/good", h) }\n',
        "api/bad.go": HEAD + 'func f2(e *gin.Engine) { e.GET("/fine", h) }\nfunc broken( {{{\n',
    }
    assert "GET /good" in routes_of(tmp_path, files)


def test_an_expression_nested_without_end_is_told_in_one_line(tmp_path: Path) -> None:
    path = " + ".join(['"/a"'] * 5000)
    files = {"api/deep.go": f"{HEAD}func f(e *gin.Engine) {{ e.GET({path}, h) }}\n"}

    with pytest.raises(ToolError, match="nested too deeply"):
        routes_of(tmp_path, files)


@given(st.integers(0, 700), st.sampled_from(["", "{", "}", "(", '"', "`", "\\", "\x00", "é"]))
@settings(max_examples=60)
def test_a_file_cut_off_anywhere_is_read_without_harm(cut: int, rest: str) -> None:
    source = (SERVER + 'func (s *Server) r() {\n\tg := s.engine.Group("/a")\n\tg.GET("/b", h)\n}\n')[:cut] + rest
    universe = Universe("", {"api": None}, lambda _: (parse_file(source.encode()),))
    routes = Routes(universe)
    routes.read([universe.package("api")])

    assert routes.found <= {("GET", "/a/b"), ("GET", "/b")}
