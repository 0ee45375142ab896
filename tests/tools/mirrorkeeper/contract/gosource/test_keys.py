from __future__ import annotations

from pathlib import Path

from tests.tools.mirrorkeeper.contract.gosource.trees import surface_of


def keys_of(folder: Path, files: dict[str, str]) -> list[str]:
    return sorted(surface_of(folder, files).keys)


def test_tags_of_nested_structures_give_dotted_keys(tmp_path: Path) -> None:
    files = {
        "internal/config/config.go": "package config\n\n"
        'import sdk "example.test/gate/v7/sdk/config"\n\n'
        "type Config struct {\n"
        '\tsdk.Shared `yaml:",inline"`\n'
        '\tPort int `yaml:"port" json:"-"` // a comment\n'
        '\tRemote Remote `json:"x" yaml:"remote-management,omitempty"`\n'
        '\tHidden string `yaml:"-"`\n'
        '\tprivate string `yaml:"private"`\n'
        "\tPlain bool\n"
        '\tKeys []*Key `yaml:"keys"`\n'
        '\tPlugins Plugins `yaml:"plugins"`\n'
        '\tInner struct { A int `yaml:"a"` } `yaml:"inner"`\n'
        "}\n",
        "internal/config/types.go": "package config\n\n"
        'type Remote struct {\n\tSecret, Other string `yaml:"secret-key"`\n\tAllow bool `yaml:"allow-remote"`\n}\n'
        'type (\n\tKey struct { Value string `yaml:"api-key"`; Next *Key `yaml:"next"` }\n'
        '\tPlugins = struct { Dir string `yaml:"dir"`; Configs map[string]Plugin `yaml:"configs"` }\n)\n'
        'type Plugin struct { On *bool `yaml:"enabled,omitempty"` }\n',
        "sdk/config/shared.go": "package config\n\ntype Shared = Base\n"
        'type Base struct { Proxy string `yaml:"proxy-url"` }\n',
    }
    assert keys_of(tmp_path, files) == [
        "inner",
        "inner.a",
        "keys",
        "keys[].api-key",
        "keys[].next",
        "plain",
        "plugins",
        "plugins.configs",
        "plugins.configs.*.enabled",
        "plugins.dir",
        "port",
        "proxy-url",
        "remote-management",
        "remote-management.allow-remote",
        "remote-management.secret-key",
    ]


def test_of_several_configurations_the_application_s_own_counts(tmp_path: Path) -> None:
    files = {
        "internal/config/config.go": 'package config\n\ntype Config struct { A int `yaml:"a"` }\n',
        "sdk/config/config.go": 'package config\n\ntype Config struct { B int `yaml:"b"` }\n',
        "internal/store/store.go": 'package store\n\ntype Config struct { C int `yaml:"c"` }\n',
    }
    assert keys_of(tmp_path, files) == ["a"]
