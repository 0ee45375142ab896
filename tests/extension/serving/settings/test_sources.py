"""Where the service's settings come from, and what is refused."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extension.serving.errors import SettingInvalid
from extension.serving.settings.service_settings import ServiceSettings, meaning_of, state_folder
from extension.serving.settings.sources import as_environment, gather, plugin_section, read_settings_file


def test_without_any_source_everything_has_its_default() -> None:
    gathered = gather()

    assert gathered.settings == ServiceSettings()
    assert all(meaning_of(name) for name in ServiceSettings.model_fields)
    assert (gathered.settings.prefix, gathered.settings.session_hours) == ("poolkeeper", 12)
    assert gathered.warnings == ()


@pytest.mark.parametrize(
    ("sources", "winner"),
    [
        ({"flags", "environment", "file", "plugin"}, "flags"),
        ({"environment", "file", "plugin"}, "environment"),
        ({"file", "plugin"}, "file"),
        ({"plugin"}, "plugin"),
    ],
)
def test_flag_wins_over_environment_over_file_over_plugin_section(sources: set[str], winner: str) -> None:
    def value(source: str) -> dict[str, str]:
        name = "POOLKEEPER_PREFIX" if source == "environment" else "prefix"
        return {name: f"from-{source}"} if source in sources else {}

    gathered = gather(
        flags=value("flags"), environment=value("environment"), file=value("file"), plugin=value("plugin")
    )

    assert gathered.settings.prefix == f"from-{winner}"


def test_an_unknown_variable_or_name_of_ours_is_refused_and_others_are_not_looked_at() -> None:
    with pytest.raises(SettingInvalid, match=r"POOLKEEPER_PREFFIX is no setting.*POOLKEEPER_PREFIX"):
        gather(environment={"POOLKEEPER_PREFFIX": "x"})
    with pytest.raises(SettingInvalid, match="no setting 'colour'"):
        gather(file={"colour": "red"})

    others = {"PREFFIX": "x", "PATH": "/bin", "POOLKEEPER_MANAGEMENT_KEY": "k", "POOLKEEPER_SERVER": "http://h"}
    assert gather(environment=others).settings == ServiceSettings()


def test_an_unknown_name_in_config_yaml_is_warned_about_and_ignored() -> None:
    gathered = gather(plugin={"colour": "red", "log-level": "debug", "enabled": True, "priority": 3})

    assert gathered.settings.log_level == "debug"
    assert len(gathered.warnings) == 1
    assert "plugins.configs.poolkeeper.colour" in gathered.warnings[0]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("prefix", "Über"), ("prefix", "../up"), ("prefix", '"><script>'), ("prefix", ""), ("log_level", "loud"),
        ("session_hours", "0"), ("session_hours", "nan"), ("session_hours", "many"),
    ],
)  # fmt: skip
def test_a_value_that_cannot_be_used_is_refused_with_its_name_and_where_it_came_from(name: str, value: str) -> None:
    with pytest.raises(SettingInvalid, match=f"{name} from the environment cannot be used"):
        gather(environment={f"POOLKEEPER_{name.upper()}": value})


prefixes = st.from_regex(r"[a-z][a-z0-9-]{0,31}", fullmatch=True)


@given(prefixes, st.sampled_from(["debug", "info"]), st.floats(0.5, 168), st.none() | st.just(Path("/var/lib/pool")))
def test_settings_survive_the_way_through_the_environment(
    prefix: str, level: str, hours: float, folder: Path | None
) -> None:
    flags = {"prefix": prefix, "log_level": level, "session_hours": hours, "data_dir": folder}
    settings = gather(flags=flags).settings

    assert gather(environment=as_environment(settings)).settings == settings


def test_the_section_of_config_yaml_is_found_and_anything_else_yields_nothing() -> None:
    assert plugin_section("plugins: {configs: {poolkeeper: {prefix: keeper}}}") == {"prefix": "keeper"}
    for text in (
        "",
        "[]",
        "plugins: 5",
        "plugins: {configs: [poolkeeper]}",
        "plugins: {configs: {poolkeeper: yes}}",
        "a: [",
    ):
        assert plugin_section(text) == {}


def test_a_settings_file_is_toml_and_may_write_hyphens(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('log-format = "json"\nsession_hours = 2\n', encoding="utf-8")

    settings = gather(file=read_settings_file({"POOLKEEPER_SETTINGS": str(file)})).settings

    assert (settings.log_format, settings.session_hours) == ("json", 2)
    assert read_settings_file({}) == {}


def test_a_settings_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\xfe")

    for name in ("missing", "binary"):
        with pytest.raises(SettingInvalid, match=f"{name} cannot be read"):
            read_settings_file({"POOLKEEPER_SETTINGS": str(tmp_path / name)})
    (tmp_path / "toml").write_text("a = [", encoding="utf-8")
    with pytest.raises(SettingInvalid, match="not valid TOML"):
        read_settings_file({"POOLKEEPER_SETTINGS": str(tmp_path / "toml")})


def test_the_state_folder_follows_the_environment() -> None:
    assert state_folder({"XDG_STATE_HOME": "/state"}) == Path("/state/poolkeeper")
    assert state_folder({}) == Path.home() / ".local/state/poolkeeper"


@pytest.mark.parametrize("name", ["prefix", "database_url", "metrics_token", "vendor_stand_in"])
def test_a_value_without_the_wanted_form_is_told_the_form_and_not_repeated(name: str) -> None:
    with pytest.raises(SettingInvalid) as refused:
        gather(environment={f"POOLKEEPER_{name.upper()}": "mysql ://u:Secret-17@host"})

    message = str(refused.value)
    assert f"The setting {name} from the environment cannot be used: it must" in message
    assert "pattern" not in message
    assert "Secret-17" not in message
