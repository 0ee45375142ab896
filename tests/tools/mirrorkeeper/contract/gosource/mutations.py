"""Trees of Go source that register GET /a, or seem to: a table, written before the reading was run over it."""

# ruff: noqa: E501 - one mutation, one line

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tests.tools.mirrorkeeper.contract.gosource.trees import HEAD

MAIN = 'package main\n\nimport "example.test/gate/v7/api"\n\nfunc main() { api.Start() }\n'
HANDLER = "func h(c *gin.Context) { c.JSON(200, nil) }\n"


def source(body: str, more: str = "", head: str = HEAD, extra: Mapping[str, str] = {}) -> Mapping[str, str]:
    start = f"func Start() {{\n\te := gin.New()\n\tdefer e.Run()\n{body}\n}}\n"
    return {"api/server.go": f"{head}{HANDLER}{more}{start}", "main.go": MAIN, **extra}


A = '\te.GET("/a", h)\n'


class Mutation(NamedTuple):
    """One tree: whether GET /a is there without a condition, a name, the files."""

    there: bool
    name: str
    files: Mapping[str, str]


NOT_SEEN = frozenset(
    {
        "future go version tag",
        "handler only refuses via middleware in group",
        "Use(deny) before",
        "recover swallows: panic in group fn",
        "generic function",
    }
)
"""Mutations that pass for a route that is there; the README names them."""

MUTATIONS = (
Mutation(True, "plain",source(A)),
Mutation(False, "if debug()",source("if debug() {\n"+A+"}")),
Mutation(False, "if 1 > 2",source("if 1 > 2 {\n"+A+"}")),
Mutation(False, "if !true",source("if !true {\n"+A+"}")),
Mutation(False, "if !(true)",source("if (false) {\n"+A+"}")),
Mutation(False, "const off = false",source("if off {\n"+A+"}",more="const off = false\n")),
Mutation(False, "switch false",source("switch false {\ncase true:\n"+A+"}")),
Mutation(False, "switch {case x}",source("switch {\ncase x():\n"+A+"}")),
Mutation(False, "select default-less",source("select {\ncase <-ch:\n"+A+"}")),
Mutation(False, "type switch",source("switch v.(type) {\ncase int:\n"+A+"}")),
Mutation(False, "for false",source("for false {\n"+A+"}")),
Mutation(False, "for range nil",source("for range []string{} {\n"+A+"}")),
Mutation(False, "for range empty table",source("for _, p := range []string{} {\n\te.GET(p, h)\n}\n")),
Mutation(False, "for range 0",source("for i := range 0 {\n"+A+"}")),
Mutation(False, "continue first",source('for _, p := range []string{"/a"} {\n\tcontinue\n\te.GET(p, h)\n}')),
Mutation(False, "conditional continue",source('for _, p := range []string{"/a"} {\n\tif skip(p) {\n\t\tcontinue\n\t}\n\te.GET(p, h)\n}')),
Mutation(False, "break before",source('for _, p := range []string{"/a"} {\n\tbreak\n\te.GET(p, h)\n}')),
Mutation(False, "goto over",source("goto end\n"+A+"end:\n")),
Mutation(False, "labeled break",source("out:\nfor {\n\tbreak out\n"+A+"}\n")),
Mutation(False, "panic before",source('\tpanic("x")\n'+A)),
Mutation(False, "os.Exit before",source("\tos.Exit(1)\n"+A)),
Mutation(False, "log.Fatal before",source('\tlog.Fatal("x")\n'+A)),
Mutation(False, "runtime.Goexit before",source("\truntime.Goexit()\n"+A)),
Mutation(False, "return in block",source("\t{\n\t\treturn\n\t}\n"+A)),
Mutation(False, "return in both branches",source("\tif x {\n\t\treturn\n\t} else {\n\t\treturn\n\t}\n"+A)),
Mutation(False, "return in switch default",source("\tswitch {\n\tdefault:\n\t\treturn\n\t}\n"+A)),
Mutation(False, "return when not err (inverted)",source("\tif err == nil {\n\t\treturn\n\t}\n"+A)),
Mutation(False, "return if errEnabled != nil name",source("\tif cfg.errFlag != nil && off {\n\t\treturn\n\t}\n"+A)),
Mutation(False, "select {} before",source("\tselect {}\n"+A)),
Mutation(False, "for {} before",source("\tfor {\n\t}\n"+A)),
Mutation(False, "defer",source("\tdefer func() {\n\t\tif x {\n\t"+A+"\t\t}\n\t}()\n")),
Mutation(False, "func literal never called",source("\t_ = func() {\n"+A+"\t}\n")),
Mutation(False, "func literal assigned, not called",source("\treg := func() {\n"+A+"\t}\n\t_ = reg\n")),
Mutation(False, "func literal called under if",source("\treg := func() {\n"+A+"\t}\n\tif x {\n\t\treg()\n\t}\n")),
Mutation(True, "func literal called",source("\treg := func() {\n"+A+"\t}\n\treg()\n")),
Mutation(False, "in function nobody calls",source("\t_ = e\n",more="func nobody(e *gin.Engine) {\n"+A+"}\n")),
Mutation(False, "called only by a function nobody calls",source("\t_ = e\n",more="func n1() { e := gin.New(); n2(e) }\nfunc n2(e *gin.Engine) {\n"+A+"}\n")),
Mutation(False, "recursion only",source("\t_ = e\n",more="func n1() { e := gin.New()\n"+A+"n1() }\n")),
Mutation(False, "only in a test file",{**source("\t_ = e\n"),"api/a_test.go":HEAD+"func init() {\n\te := gin.New()\n"+A+"}\n"}),
Mutation(False, "build tag ignore",{**source("\treg(e)\n"),"api/r.go":"//go:build ignore\n\n"+HEAD+"func reg(e *gin.Engine) {\n"+A+"}\n"}),
Mutation(False, "build tag custom",{**source("\treg(e)\n"),"api/r.go":"//go:build pro\n\n"+HEAD+"func reg(e *gin.Engine) {\n"+A+"}\n"}),
Mutation(False, "build tag in CRLF",{**source("\treg(e)\n"),"api/r.go":"//go:build pro\r\n\r\n"+HEAD+"func reg(e *gin.Engine) {\n"+A+"}\n"}),
Mutation(False, "build tag with tab",{**source("\treg(e)\n"),"api/r.go":"//go:build\tpro\n\n"+HEAD+"func reg(e *gin.Engine) {\n"+A+"}\n"}),
Mutation(False, "build tag after block comment",{**source("\treg(e)\n"),"api/r.go":"/* licence\npackage x\n*/\n\n//go:build pro\n\n"+HEAD+"func reg(e *gin.Engine) {\n"+A+"}\n"}),
Mutation(False, "build tag !cgo",{**source("\treg(e)\n"),"api/r.go":"//go:build !cgo\n\n"+HEAD+"func reg(e *gin.Engine) {\n"+A+"}\n"}),
Mutation(False, "file for windows",{**source("\treg(e)\n"),"api/r_windows.go":HEAD+"func reg(e *gin.Engine) {\n"+A+"}\n"}),
Mutation(False, "goexperiment tag",{**source("\treg(e)\n"),"api/r.go":"//go:build goexperiment.x\n\n"+HEAD+"func reg(e *gin.Engine) {\n"+A+"}\n"}),
Mutation(False, "future go version tag",{**source("\treg(e)\n"),"api/r.go":"//go:build go1.99\n\n"+HEAD+"func reg(e *gin.Engine) {\n"+A+"}\n"}),
Mutation(False, "package of another name (ignored doc)",{**source("\treg(e)\n"),"api/_r.go":HEAD+"func reg(e *gin.Engine) {\n"+A+"}\n"}),
Mutation(False, "commented out",source('\t// e.GET("/a", h)\n')),
Mutation(False, "block comment",source('\t/* e.GET("/a", h) */\n')),
Mutation(False, "in a raw string",source('\t_ = `e.GET("/a", h)`\n')),
Mutation(False, "shadowed e by other type",source("\t{\n\t\te := other()\n\t"+A+"\t}\n")),
Mutation(False, "shadowed gin import",source(A,head='package api\n\nimport gin "example.test/gate/v7/fake"\n\n',extra={"fake/f.go":"package fake\n\ntype E struct{}\n\nfunc New() *E { return nil }\nfunc (e *E) GET(p string, h any) {}\n"})),
Mutation(True, "aliased gin import",{"api/server.go":'package api\n\nimport g "github.com/gin-gonic/gin"\n\nfunc h(c *g.Context) { c.JSON(200, nil) }\nfunc Start() {\n\te := g.New()\n\tdefer e.Run()\n'+A+"}\n","main.go":MAIN}),
Mutation(True, "aliased import, param type",{"api/server.go":'package api\n\nimport g "github.com/gin-gonic/gin"\n\nfunc h(c *g.Context) { c.JSON(200, nil) }\nfunc Start() {\n\te := g.New()\n\treg(e)\n}\nfunc reg(r g.IRouter) {\n\tr.GET("/a", h)\n}\n',"main.go":MAIN}),
Mutation(False, "method value of another type named GET",source('\tx := &client{}\n\tx.GET("/a", h)\n',more="type client struct{}\nfunc (c *client) GET(p string, h any) {}\n")),
Mutation(False, "struct embeds engine, overrides GET",source('\tw := wrap{e}\n\tw.GET("/a", h)\n',more="type wrap struct{ *gin.Engine }\nfunc (w wrap) GET(p string, h any) {}\n")),
Mutation(False, "path constant changed in later file",source("\te.GET(P, h)\n",more='const P = "/b"\n')),
Mutation(False, "path shadowed",source('\tp := "/a"\n\tif x {\n\t\tp = "/b"\n\t}\n\tp = "/c"\n\te.GET(p, h)\n')),
Mutation(False, "path reassigned under condition",source('\tp := "/a"\n\tif x {\n\t\tp = "/b"\n\t}\n\te.GET(p, h)\n')),
Mutation(False, "path var changed in init",source("\te.GET(P, h)\n",more='var P = "/a"\nfunc init() { P = "/b" }\n')),
Mutation(False, "path const in both build variants",{**source("\te.GET(P, h)\n"),"api/p.go":'//go:build pro\n\npackage api\n\nconst P = "/a"\n',"api/q.go":'//go:build !pro\n\npackage api\n\nconst P = "/b"\n'}),
Mutation(False, "table var emptied in init",source("for _, p := range tab {\n\te.GET(p, h)\n}",more='var tab = []string{"/a"}\nfunc init() { tab = nil }\n')),
Mutation(False, "table row removed by slice",source('for _, p := range []string{"/b", "/a"}[:1] {\n\te.GET(p, h)\n}')),
Mutation(False, "table row disabled flag",source("for _, r := range tab {\n\tif !r.on {\n\t\tcontinue\n\t}\n\te.GET(r.p, h)\n}",more='var tab = []struct{ p string; on bool }{{"/a", false}}\n')),
Mutation(False, "group prefix by variable",source('\tg := e.Group(prefix())\n\tg.GET("/a", h)\n')),
Mutation(False, "group prefix changed",source('\tg := e.Group("/x")\n\tg.GET("/a", h)\n')),
Mutation(False, "handler only refuses via middleware in group",source('\tg := e.Group("/", deny)\n\tg.GET("/a", h)\n',more="func deny(c *gin.Context) { c.AbortWithStatus(404) }\n")),
Mutation(False, "Use(deny) before",source("\te.Use(deny)\n"+A,more="func deny(c *gin.Context) { c.AbortWithStatus(404) }\n")),
Mutation(False, "middleware in the call refuses",source('\te.GET("/a", deny, h)\n',more="func deny(c *gin.Context) { c.AbortWithStatus(404) }\n")),
Mutation(False, "handler refuses",source('\te.GET("/a", deny)\n',more="func deny(c *gin.Context) { c.AbortWithStatus(404) }\n")),
Mutation(False, "handler returned by factory refuses",source('\te.GET("/a", make404())\n',more="func make404() gin.HandlerFunc { return func(c *gin.Context) { c.AbortWithStatus(404) } }\n")),
Mutation(False, "e is another engine that is not run (second New)",source('\td := gin.New()\n\td.GET("/b", h)\n\t_ = e\n')),
Mutation(False, "HEAD instead of GET",source('\te.HEAD("/a", h)\n')),
Mutation(False, "Handle with lower-case get var method",source('\te.Handle(m(), "/a", h)\n')),
Mutation(False, "go:generate text",source('\t_ = e\n//go:generate echo e.GET("/a", h)\n')),
Mutation(False, "registered in init of a package nobody imports",{**source("\t_ = e\n"),"lost/l.go":'package lost\n\nimport "github.com/gin-gonic/gin"\n\nfunc init() {\n\te := gin.New()\n\te.GET("/a", nil)\n}\n'}),
Mutation(False, "second main never built (tools dir with ignore)",{**source("\t_ = e\n"),"tool.go":'//go:build ignore\n\npackage main\n\nimport "github.com/gin-gonic/gin"\n\nfunc main() {\n\te := gin.New()\n\te.GET("/a", nil)\n}\n'}),
Mutation(False, "nested module",{**source("\t_ = e\n"),"sub/go.mod":"module other\n","sub/s.go":'package sub\n\nimport "github.com/gin-gonic/gin"\n\nfunc Start() {\n\te := gin.New()\n\te.GET("/a", nil)\n}\n'}),
Mutation(False, "early return in caller",{**source(""),"api/server.go":HEAD+HANDLER+"func Start() {\n\tif off() {\n\t\treturn\n\t}\n\treg(gin.New())\n}\nfunc reg(e *gin.Engine) {\n"+A+"}\n"}),
Mutation(False, "recover swallows: panic in group fn",source("\tpanics()\n"+A,more='func panics() { panic("x") }\n')),
Mutation(False, "short circuit &&",source("\t_ = x() && reg(e)\n",more="func reg(e *gin.Engine) bool {\n"+A+"\treturn true\n}\n")),
Mutation(False, "goroutine under condition",source("\tif x {\n\t\tgo reg(e)\n\t}\n",more="func reg(e *gin.Engine) {\n"+A+"}\n")),
Mutation(False, "sync.Once wrapper under condition",source("\tif x {\n\t\tonce.Do(func() {\n"+A+"\t\t})\n\t}\n")),
Mutation(False, "generic function",source("\tif x {\n\t\treg[int](e)\n\t}\n",more="func reg[T any](e *gin.Engine) {\n"+A+"}\n")),
Mutation(False, "interface method under condition",source("\tvar r reg = impl{}\n\tif x {\n\t\tr.add(e)\n\t}\n",more="type reg interface{ add(*gin.Engine) }\ntype impl struct{}\nfunc (impl) add(e *gin.Engine) {\n"+A+"}\n")),
Mutation(False, "method value under condition",source('\tadd := e.GET\n\tif x {\n\t\tadd("/a", h)\n\t}\n')),
Mutation(False, "deferred after os.Exit path",source("\tif x {\n\t\tos.Exit(0)\n\t}\n"+A)),
Mutation(False, "log.Fatal under flag",source('\tif disabled {\n\t\tlog.Fatal("x")\n\t}\n'+A)),
Mutation(False, "panic under flag",source('\tif disabled {\n\t\tpanic("x")\n\t}\n'+A)),
)  # fmt: skip
