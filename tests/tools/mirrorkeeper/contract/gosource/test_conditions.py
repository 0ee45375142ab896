"""Conditions, early returns, loops over tables and functions without a caller, in Go source that registers routes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.contract.gosource.trees import HEAD, surface_of

GIN = "// gin-gonic/gin\n"
SERVER = HEAD + "type Server struct {\n\tengine *gin.Engine\n}\n\n"
TABLE = 'type row struct{ Method, Path string }\n\nvar table = []row{{"GET", "/t1"}, {Method: "PUT", Path: "/t2"}}\n\n'
CALLER = 'package main\n\nimport "example.test/gate/v7/api"\n\nfunc main() { api.Start() }\n'
A = '\ts.engine.GET("/a", h)\n'

READ = {
    "if false {\n" + A + "}": {},
    "if true {\n" + A + "}": {"GET /a": ""},
    "if cfg.Management {\n" + A + "}": {"GET /a": "if cfg.Management"},
    'if os.Getenv("X") != "" {\n' + A + "}": {"GET /a": 'if os.Getenv("X") != ""'},
    "if x := f(); x {\n" + A + "}": {"GET /a": "if x"},
    "if x {\n" + A + "}\n" + A: {"GET /a": ""},
    A + "if x {\n" + A + "}": {"GET /a": ""},
    'if x {\n} else {\n\ts.engine.PUT("/b", h)\n}': {"PUT /b": "unless x"},
    "if x {\n\tif y {\n" + A + "}\n}": {"GET /a": "if x and if y"},
    "if x {\n\treturn\n}\n" + A: {"GET /a": "unless x"},
    "if !x {\n\treturn\n}\n" + A: {"GET /a": "unless !x"},
    "if err := f(); err != nil {\n\treturn\n}\n" + A: {"GET /a": ""},
    "if s == nil || s.engine == nil {\n\treturn\n}\n" + A: {"GET /a": ""},
    "return\n" + A: {},
    "func() {\n\treturn\n}()\n" + A: {"GET /a": ""},
    "switch x {\ncase 1:\n" + A + "}": {"GET /a": "in a case of a switch"},
    "for i := 0; i < n; i++ {\n" + A + "}": {"GET /a": "in a loop"},
    'for _, p := range []string{"/a", "/b"} {\n\ts.engine.GET(p, h)\n}': {"GET /a": "", "GET /b": ""},
    'for _, p := range []string{"/a", "/b"} {\n\ts.engine.GET(p, h)\n\tbreak\n}': {
        "GET /a": "",
        "GET /b": "in a loop that may end before",
    },
    'for _, p := range []string{"/a", "/b"} {\n\ts.engine.GET(p, h)\n\tif x {\n\t\treturn\n\t}\n}\ns.more()': {
        "GET /a": "",
        "GET /b": "in a loop that may end before",
        "POST /more": "",
    },
    'for _, p := range []string{"/a", "/b"} {\n\ts.engine.GET(p, h)\n\tif x {\n\t\tcontinue\n\t}\n}': {
        "GET /a": "",
        "GET /b": "",
    },
    'for _, p := range []string{"/a", "/b"} {\n\tif err != nil {\n\t\treturn\n\t}\n\ts.engine.GET(p, h)\n}': {
        "GET /a": "",
        "GET /b": "",
    },
    'for p, f := range map[string]gin.HandlerFunc{"/a": h} {\n\ts.engine.GET(p, f)\n}': {"GET /a": ""},
    "for _, r := range table {\n\ts.engine.Handle(r.Method, r.Path, h)\n}": {"GET /t1": "", "PUT /t2": ""},
    'rows := []struct{ m, p string }{{"GET", "/a"}}\nfor _, r := range rows {\n\ts.engine.Handle(r.m, r.p, h)\n}': {
        "GET /a": ""
    },
    'if x {\n\tfor _, p := range []string{"/a"} {\n\t\ts.engine.GET(p, h)\n\t}\n}': {"GET /a": "if x"},
    'ps := []string{"/a", "/b"}\nfor i := 0; i < len(ps); i++ {\n\ts.engine.GET(ps[i], h)\n}': {
        "GET /a": "",
        "GET /b": "",
    },
    "for i := 0; i < len(table); i++ {\n\ts.engine.Handle(table[i].Method, table[i].Path, h)\n}": {
        "GET /t1": "",
        "PUT /t2": "",
    },
    'ps := []string{"/a"}\nfor i := range ps {\n\tp := ps[i]\n\ts.engine.GET("/x"+p, h)\n}': {"GET /x/a": ""},
    'ps := []string{"/a"}\nfor i := 0; i < len(ps); i++ {\n\tif x {\n\t\ts.engine.GET(ps[i], h)\n\t}\n}': {
        "GET /a": "if x"
    },
    'for i := 1; i < len(table); i++ {\n\ts.engine.GET("/a", h)\n}': {"GET /a": "in a loop"},
    'get := s.engine.GET\nget("/a", h)': {"GET /a": ""},
    'put := s.engine.Group("/g").PUT\nif x {\n\tput("/a", h)\n}': {"PUT /g/a": "if x"},
    'get := s.engine.GET\nget = other\nget("/a", h)': {},
    "s.more()": {"POST /more": ""},
    "if x {\n\ts.more()\n}": {"POST /more": "if x"},
    "if x {\n\ts.more()\n}\ns.more()": {"POST /more": ""},
    "if x {\n\ts.more()\n}\nlater(s.more)": {"POST /more": ""},
    "if err := s.more(); err != nil {\n\treturn\n}": {"POST /more": ""},
    "if x {\n\ts.between()\n}": {"POST /more": "if x"},
    'if x {\n\tregister(s.engine.Group("/g"))\n}': {"GET /g/r": "if x"},
    "": {},
}


def read(folder: Path, body: str, more: str = "", *, caller: str = CALLER) -> dict[str, str]:
    source = (
        f"{SERVER}{TABLE}func Start() {{ (&Server{{}}).routes() }}\nfunc (s *Server) routes() {{\n{body}\n}}\n{more}"
    )
    surface = surface_of(folder, {"api/server.go": source, "main.go": caller})
    return {
        f"{method} {path}": surface.conditional.get((method, path), "")
        for path, methods in surface.routes.items()
        for method in methods
    }


@pytest.mark.parametrize("body", READ)
def test_a_route_is_there_or_conditional_or_not_there(tmp_path: Path, body: str) -> None:
    more = 'func register(g *gin.RouterGroup) { g.GET("/r", h) }\n'
    if "s.more" in body or "between" in body:
        more += 'func (s *Server) more() { s.engine.POST("/more", h) }\n'
    if "between" in body:
        more += "func (s *Server) between() { s.more() }\n"

    assert read(tmp_path, body, more) == READ[body]


def test_a_function_that_nothing_calls_is_a_condition(tmp_path: Path) -> None:
    more = 'func (s *Server) forgotten() { s.engine.GET("/b", h); s.deeper() }\n'
    more += 'func (s *Server) deeper() { s.engine.GET("/c", h) }\n'

    assert read(tmp_path, A, more) == {
        "GET /a": "",
        "GET /b": "nothing calls forgotten",
        "GET /c": "nothing calls deeper",
    }


def test_a_comment_or_a_text_calls_nothing(tmp_path: Path) -> None:
    body = A + '// See forgotten.\n/* forgotten() */\n_, _ = "forgotten", `forgotten`\n'
    more = 'func (s *Server) forgotten() { s.engine.GET("/b", h) }\n'
    caller = "package main\n\n// It was api.Start() before.\nfunc main() {}\n"

    assert read(tmp_path / "one", body, more)["GET /b"] == "nothing calls forgotten"
    assert read(tmp_path / "other", A, caller=caller) == {"GET /a": "nothing calls routes"}


def test_a_method_of_the_same_name_of_a_type_that_nothing_uses_is_a_condition(tmp_path: Path) -> None:
    more = 'type fake struct{ engine *gin.Engine }\n\nfunc (s *fake) routes() { s.engine.GET("/b", h) }\n'

    assert read(tmp_path / "one", A, more) == {"GET /a": "", "GET /b": "nothing uses the type fake"}
    assert read(tmp_path / "other", A, more + "var one routed = &fake{}\n") == {"GET /a": "", "GET /b": ""}


def test_a_program_that_ends_as_it_begins_is_a_condition(tmp_path: Path) -> None:
    assert read(tmp_path, A, "func init() { os.Exit(3) }\n") == {"GET /a": "init ends the program"}


UNSERVED = {
    'other := gin.New()\nother.GET("/a", h)': [],
    'other := gin.Default()\nother.Use(m)\ng := other.Group("/g")\ng.GET("/a", h)': [],
    '{\n\ts := &Server{engine: gin.New()}\n\ts.engine.GET("/a", h)\n}': [],
    'other := gin.New()\nother.GET("/a", h)\nother.Run()': ["GET /a"],
    'other := gin.New()\nother.GET("/a", h)\nserve(other)': ["GET /a"],
    'other := gin.New()\nother.GET("/a", h)\nreturn other': ["GET /a"],
    'other := gin.New()\nother.GET("/a", h)\nhttp.ListenAndServe(":1", other.Handler())': ["GET /a"],
    'other := gin.New()\nfunc() { serve(&http.Server{Handler: other}) }()\nother.GET("/a", h)': ["GET /a"],
    's := &Server{engine: gin.New()}\ns.engine.GET("/a", h)\nreturn s': ["GET /a"],
    's := &Server{engine: gin.New()}\ns.engine.GET("/a", h)\ns.engine.Run()': ["GET /a"],
}


@pytest.mark.parametrize("body", UNSERVED)
def test_routes_of_an_engine_that_nothing_serves_are_not_there(tmp_path: Path, body: str) -> None:
    assert list(read(tmp_path, body)) == UNSERVED[body]


def test_a_path_that_a_function_declares_is_read(tmp_path: Path) -> None:
    assert read(tmp_path, 'const hp = "/a"\ns.engine.GET(hp, h)\nconst (\n\tb = "/b"\n)\ns.engine.GET(b, h)') == {
        "GET /a": "",
        "GET /b": "",
    }


def test_an_exported_function_is_called_only_when_another_package_mentions_it(tmp_path: Path) -> None:
    assert read(tmp_path, A, caller="package main\n\nfunc main() {}\n") == {"GET /a": "nothing calls routes"}


def test_routes_that_a_package_registers_when_it_is_loaded_are_there(tmp_path: Path) -> None:
    source = HEAD + (
        'func Start() {}\nfunc init() { global.GET("/a", h); group.GET("/b", h); later.GET("/c", h) }\n'
        'var global = gin.New()\nvar group = global.Group("/g")\nvar later *gin.RouterGroup\n'
        'func Set() { later = global.Group("/l") }\n'
    )
    other = 'package other\n\nimport "example.test/gate/v7/api"\n\nfunc Go() { api.Global.GET("/d", nil) }\n'
    shared = 'package api\n\nimport "github.com/gin-gonic/gin"\n\nvar Global *gin.Engine\n'
    main = CALLER.replace("func main() {", "func main() {\n\tother.Go()\n\tapi.Set()\n").replace(
        'import "example', 'import "example.test/gate/v7/other"\nimport "example'
    )
    files = {"api/a.go": source, "api/b.go": shared, "other/o.go": GIN + other, "main.go": main}
    surface = surface_of(tmp_path, files)

    assert {path: sorted(methods) for path, methods in surface.routes.items()} == {
        "/a": ["GET"],
        "/d": ["GET"],
        "/g/b": ["GET"],
        "/l/c": ["GET"],
    }
    assert surface.conditional == {}


def test_a_route_with_a_slash_at_its_end_is_not_the_one_without(tmp_path: Path) -> None:
    body = 'e := gin.New()\n\te.GET("/a/", h)\n\te.GET("/b/", h)\n\te.GET("/b", h)\n\te.GET("/", h)\n\te.Run()'
    surface = surface_of(
        tmp_path, {"main.go": HEAD.replace("package api", "package main") + f"func main() {{\n\t{body}\n}}"}
    )

    assert surface.slashed == {("GET", "/a")}
