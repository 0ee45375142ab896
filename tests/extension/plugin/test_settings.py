from pathlib import Path

import pytest

from extension.plugin.handshake import COOKIE, COOKIE_VALUE, handshake_line, take_cookie
from extension.plugin.routes import routes
from extension.plugin.settings import PluginSettings, read_settings
from extension.plugin.v1.plugin_pb2 import ACCESS_GUARDED, ACCESS_OPEN, ConfigureRequest, HostInfo
from extension.serving.errors import NotStarted, SettingInvalid


def read(folder: Path, text: str, environment: dict[str, str] | None = None, **host: object) -> PluginSettings:
    info = HostInfo(config_path=str(folder / "config.yaml"), gateway_url="http://127.0.0.1:8317")
    info.MergeFrom(HostInfo(**host))  # type: ignore[arg-type]
    return read_settings(ConfigureRequest(host=info, settings_yaml=text.encode()), environment or {})


def test_the_key_comes_from_a_file_beside_the_configuration_and_is_in_no_environment(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("sesame\n")
    (tmp_path / "key").chmod(0o600)
    settings = read(
        tmp_path, "enabled: true\nmanagement-key-file: key\n", {"MANAGEMENT_PASSWORD": "other", "PATH": "p"}
    )

    assert settings.key.read().reveal() == "sesame"
    assert not {"sesame", "other"} & set(settings.environment.values())
    assert settings.folder == tmp_path / "poolkeeper"
    assert settings.warnings == ()


def test_the_file_of_an_earlier_installation_is_used_where_no_other_key_is_known(tmp_path: Path) -> None:
    (tmp_path / "poolkeeper-management.key").write_text("sesame\n")
    (tmp_path / "poolkeeper-management.key").chmod(0o600)

    assert read(tmp_path, "enabled: true\n").key.read().reveal() == "sesame"
    assert read(tmp_path, "enabled: true\n", {"MANAGEMENT_PASSWORD": "other"}).key.read().reveal() == "other"


def test_settings_of_the_service_are_taken_and_unknown_ones_named(tmp_path: Path) -> None:
    text = "gateway-url: http://127.0.0.1:9\ndata-dir: /data\nkeep-runs: 7\ncommand: [x]\nsocket: /s\ncolour: blue\n"
    settings = read(tmp_path, text, {"MANAGEMENT_PASSWORD": "k"})

    assert (settings.address, str(settings.folder)) == ("http://127.0.0.1:9", "/data")
    assert settings.environment["POOLKEEPER_KEEP_RUNS"] == "7"
    assert "POOLKEEPER_GATEWAY" not in settings.environment
    assert [("colour" in warning) for warning in settings.warnings] == [True]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "management-key-file"),
        ("keep-runs: -1\n", "keep_runs"),
        ("a: [", "not valid YAML"),
        ("gateway-url: nonsense", "no address of a gateway"),
    ],
)
def test_a_setting_that_cannot_be_used_says_so(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(SettingInvalid, match=sentence):
        read(tmp_path, text, {} if "management" in sentence else {"MANAGEMENT_PASSWORD": "k"})


@pytest.mark.parametrize(
    ("schema", "capabilities", "raw"), [(3, [], False), (6, [], True), (0, ["raw-json"], True), (0, [], False)]
)
def test_hosts_say_whether_they_leave_json_alone(
    tmp_path: Path, schema: int, capabilities: list[str], *, raw: bool
) -> None:
    environment = {"MANAGEMENT_PASSWORD": "k"}
    assert read(tmp_path, "", environment, schema=schema, capabilities=capabilities).raw_json is raw


def test_routes_are_the_own_paths_behind_the_key_and_the_page_without() -> None:
    ours, stock = routes("mine", ""), routes("mine", "/v0/resource/plugins/poolkeeper")

    for found in (ours, stock):
        assert len({(route.method, route.path) for route in found}) == len(found)
        for route in found:
            assert route.path.startswith("/v0/management/") == (route.access == ACCESS_GUARDED)
    assert ("GET", "/v0/management/mine/info") in {(route.method, route.path) for route in ours}
    assert {"/monitor/inspection", "/monitor/static/app/app.js", "/livez"} <= {route.path for route in ours}
    opened = {route.path for route in stock if route.access == ACCESS_OPEN}
    assert all(path.startswith("/v0/resource/plugins/poolkeeper/") for path in opened)
    assert [route.path for route in ours if route.menu] == ["/monitor/inspection"]


def test_only_a_host_starts_the_process() -> None:
    environment = {COOKIE: COOKIE_VALUE, "A": "b"}
    take_cookie(environment)
    assert environment == {"A": "b"}
    with pytest.raises(NotStarted, match="poolkeeper serve"):
        take_cookie(environment)
    assert handshake_line(Path("/s")) == "1|1|unix|/s|grpc"


@pytest.mark.parametrize(("name", "sentence"), [("nowhere", "cannot be read"), ("empty", "is empty")])
def test_a_key_file_without_a_key_says_so_when_it_is_read(tmp_path: Path, name: str, sentence: str) -> None:
    (tmp_path / "empty").write_text("\n")
    (tmp_path / "empty").chmod(0o600)
    source = read(tmp_path, f"management-key-file: {name}").key
    with pytest.raises(SettingInvalid, match=sentence):
        source.read()


@pytest.mark.parametrize("mode", [0o640, 0o604])
def test_a_key_file_that_others_can_read_is_refused_with_what_to_do(tmp_path: Path, mode: int) -> None:
    key = tmp_path / "key"
    key.write_text("the-key\n", encoding="utf-8")
    key.chmod(mode)
    source = read(tmp_path, "management-key-file: key", {}).key
    with pytest.raises(SettingInvalid, match=f"chmod 600 {key}") as refused:
        source.read()
    assert "the-key" not in str(refused.value)
    key.chmod(0o600)
    assert source.read().reveal() == "the-key"
