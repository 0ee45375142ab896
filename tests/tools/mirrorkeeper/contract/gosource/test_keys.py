from __future__ import annotations

from pathlib import Path

from tests.tools.mirrorkeeper.contract.gosource.trees import surface_of
from tools.mirrorkeeper.contract.comparison import key_findings
from tools.mirrorkeeper.contract.expectations import Key
from tools.mirrorkeeper.contract.history import holds


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


def test_the_types_of_keys_are_read_in_yaml_s_words_through_named_types(tmp_path: Path) -> None:
    files = {
        "internal/config/config.go": "package config\n\n"
        'import sdk "example.test/gate/v7/sdk/config"\n\n'
        "type Mode string\n\ntype Config struct {\n"
        '\tText string `yaml:"text"`\n\tMode *Mode `yaml:"mode"`\n\tOn *bool `yaml:"on"`\n'
        '\tCount uint16 `yaml:"count"`\n'
        '\tShare float64 `yaml:"share"`\n\tKeys []string `yaml:"keys"`\n\tMore map[string]int `yaml:"more"`\n'
        '\tPart Part `yaml:"part"`\n\tFar sdk.Far `yaml:"far"`\n\tWait time.Duration `yaml:"wait"`\n'
        '\tAny any `yaml:"any"`\n}\n\n'
        'type Part struct { A int `yaml:"a"` }\n',
        "sdk/config/far.go": "package config\n\ntype Far = Near\ntype Near int64\n",
    }
    assert surface_of(tmp_path, files).key_types == {
        "text": "string",
        "mode": "string",
        "on": "boolean",
        "count": "integer",
        "share": "float",
        "keys": "sequence",
        "more": "mapping",
        "part": "mapping",
        "part.a": "integer",
        "far": "integer",
        "wait": "duration",
    }


def test_a_key_of_another_type_than_its_table_says_is_a_finding_and_holds_in_no_release(tmp_path: Path) -> None:
    text = 'package config\n\ntype Config struct { Proxy []string `yaml:"proxy-url"` }\n'
    surface = surface_of(tmp_path, {"internal/config/config.go": text})
    key = Key("proxy-url", "the client", "string")

    (finding,) = key_findings([key], surface, "v1")
    assert finding.code == "CON018"
    assert finding.message.startswith("the configuration key proxy-url is of type sequence, not string; the client")
    assert not holds(key, surface)
    assert holds(Key("proxy-url", "the client"), surface)
    assert list(key_findings([Key("proxy-url", "the client")], surface, "v1")) == []
