"""The contract held against a small Go source: every row and sentinel that is gone is found by name."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.tools.mirror.checked_project import make_project, write
from tools.mirror.cli import main
from tools.mirror.contract import contract_findings, read_tables
from tools.mirror.declaration import read_declaration
from tools.project.commands import COMMANDS
from tools.project.stock_routes import surface_of

SERVER = """package api

const managementPath = "/v0/management"

func NewServer() *Server {
	s.engine.GET("/healthz", health)
	s.setup()
	return s
}

func (s *Server) setup() {
	s.registerManagement()
}

func (s *Server) registerManagement() {
	// mgmt.GET("/gone", s.mgmt.GetGone)
	mgmt := s.engine.Group(managementPath)
	mgmt.Use(s.mgmt.Middleware())
	{
		mgmt.GET("/config", s.mgmt.GetConfig)
		mgmt.PUT("/plugins/:id/config", s.mgmt.PutPlugin)
		mgmt.Handle("POST", "/" + "sync", s.mgmt.Sync)
	}
}
"""
CONFIG = """package config

type Config struct {
	SDKConfig `yaml:",inline"`
	Plugins Plugins `yaml:"plugins" json:"plugins"`
	Keys []*Key `yaml:"keys,omitempty"`
	Skipped string `yaml:"-"`
}

type SDKConfig struct {
	ProxyURL string `yaml:"proxy-url"`
}

type Plugins struct {
	Configs map[string]Key `yaml:"configs"`
}

type Key struct {
	Name string `yaml:"name"`
}
"""
FILES = {"internal/api/server.go": SERVER, "internal/config/config.go": CONFIG, "internal/api/a_test.go": SERVER}


def test_routes_of_groups_and_keys_of_nested_types_are_read() -> None:
    surface = surface_of(FILES)

    assert surface.routes == {
        "/healthz": {"GET"},
        "/v0/management/config": {"GET"},
        "/v0/management/plugins/{}/config": {"PUT"},
        "/v0/management/sync": {"POST"},
    }
    assert sorted(surface.keys) == [
        "keys", "keys[].name", "plugins", "plugins.configs", "plugins.configs.*.name", "proxy-url",
    ]  # fmt: skip
    assert surface.uncalled == {}


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ('"/config"', '"/configuration"', "CON004"),
        ("mgmt.GET(", "mgmt.PUT(", "CON005"),
        ("mgmt.GET(", "// mgmt.GET(", "CON004"),
        ("\ts.registerManagement()\n", "", "CON016"),
        ("\ts.setup()\n", "", "CON016"),
        ("\ts.setup()\n", "\t// s.setup()\n", "CON016"),
        ('"/healthz"', '"/health"', "CON002"),
        ('"/v0/management"', '"/v1/management"', "CON003"),
        (SERVER, "package api\n", "CON001"),
        ('yaml:"proxy-url"', 'yaml:"proxy"', "CON006"),
    ],
)
def test_each_loss_is_found_by_name(tmp_path: Path, old: str, new: str, code: str) -> None:
    make_project(tmp_path)
    files = {path: text.replace(old, new) for path, text in FILES.items()}
    findings = contract_findings(surface_of(files), read_tables(read_declaration(tmp_path)), "v7")
    assert [finding.code for finding in findings] == [code]


def test_a_folder_and_a_release_of_a_repository_are_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_project(tmp_path / "project")
    source = tmp_path / "stock"
    for name, text in {**FILES, ".gitattributes": "*.go export-ignore\n"}.items():
        write(source, name, text)
    run = ["-C", str(tmp_path / "project"), "stock", str(source)]
    assert main(run, COMMANDS) == 0

    identity = ["-c", "user.name=a", "-c", "user.email=a@example.test"]
    for command in (["init", "-q"], ["add", "."], [*identity, "commit", "-qm", "one"], ["tag", "v7.0.0"]):
        subprocess.run(["git", *command], cwd=source, check=True)
    write(source, "internal/api/server.go", "package api\n")
    assert main(run, COMMANDS) == 1
    assert main([*run, "--ref", "v7.0.0"], COMMANDS) == 0
    assert main([*run, "--ref", "v8"], COMMANDS) == 2
    assert "has no v8" in capsys.readouterr().err
