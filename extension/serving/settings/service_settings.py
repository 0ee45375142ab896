"""Settings of the service: one frozen model that reads nothing by itself."""

from collections.abc import Mapping
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError

from adapter.contract.expectations import PREFIX
from extension.engine.operators.permission import roles_of_groups

DATA_FOLDER = "poolkeeper"
"""Name of the data folder beside config.yaml, when none is configured."""

FLEET_FOLDER = "fleet"
"""Name of the data folder of a fleet's process below the user's state folder."""


def _networks(text: str) -> str:
    for item in (item.strip() for item in text.split(",") if item.strip()):
        try:
            ip_network(item, strict=False)
        except ValueError:
            raise PydanticCustomError("networks", "Input should list IP addresses or networks") from None
    return text


def _group_roles(text: str) -> str:
    try:
        roles_of_groups(text)
    except ValueError:
        message = "Input should list GROUP=ROLE with the roles viewer, operator and admin"
        raise PydanticCustomError("group_roles", message) from None
    return text


class ServiceSettings(BaseModel):
    """Settings of the service; their values come from `extension.serving.settings.sources`.

    The texts below the fields are their meanings, in the help of the command line and in the documents too.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    data_dir: Path | None = None
    """Folder of database, installation key and channels."""
    prefix: Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,31}$")] = PREFIX
    """Part of the own paths after `/v0/management/`."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """Lowest level that is logged."""
    log_format: Literal["console", "json"] = "console"
    """Lines for people or JSON lines."""
    gateway: str | None = None
    """URL of a remote gateway. Unset: the gateway runs in this process."""
    listen: str = "127.0.0.1:8318"
    """Listen address in front of a remote gateway; the embedded gateway listens as its config.yaml says."""
    keep_runs: Annotated[int, Field(ge=1, le=10_000)] = 200
    """Ended runs that are kept with their results when a run starts; it comes on top of them, so that its changes since
    an earlier run can be shown. Older runs are deleted, actions are kept."""
    keep_megabytes: Annotated[int, Field(ge=1, le=1_000_000)] = 1_000
    """Size of the stored results in megabytes when a run starts; the oldest ended runs are deleted beyond it.

    Pools of a fleet share it by their accounts.
    """
    keep_usage_days: Annotated[int, Field(ge=1, le=3_650)] = 90
    """Days for which events of usage are kept; their hourly sums stay."""
    keep_usage_megabytes: Annotated[int, Field(ge=1, le=1_000_000)] = 2_000
    """Size of the events of usage in megabytes; the oldest are deleted beyond it."""
    database_url: Annotated[str, Field(pattern=r"^(postgresql://[^\s]+)?$", repr=False)] = ""
    """PostgreSQL database that several services may share; may hold a password, never shown. Unset: `poolkeeper.db` of
    the data folder."""
    fleet_key_file: Path | None = None
    """File of the key that seals the management keys of a fleet's gateways. Unset: the systemd credential `fleet.key`,
    or `fleet.key` of the data folder."""
    metrics_token: Annotated[str, Field(pattern=r"^([\x21-\x7e]{16,200})?$", repr=False)] = ""
    """Token that reads `/metrics`, and nothing else, as `Authorization: Bearer`; never shown."""
    session_hours: Annotated[float, Field(gt=0, le=168, allow_inf_nan=False)] = 12.0
    """Lifetime of a session of the page in hours."""
    secure_cookies: bool = False
    """Mark the session cookie Secure on every connection, as behind TLS."""
    trusted_proxies: Annotated[str, AfterValidator(_networks)] = ""
    """Proxies whose `X-Forwarded-Proto` counts, beside those of this machine; in front of a remote gateway also
    `X-Forwarded-For`, of these alone."""
    group_roles: Annotated[str, AfterValidator(_group_roles)] = ""
    """Roles in a fleet of the groups that a proxy of `trusted_proxies` names: its `X-Forwarded-User` and
    `X-Forwarded-Groups` sign in. Unset: no group signs in."""
    hosts: Annotated[str, Field(pattern=r"^[A-Za-z0-9.\-]*(\s*,\s*[A-Za-z0-9.\-]+)*$")] = ""
    """Names with a dot under which browsers reach the service. Wrong keys sent to another name count apart, so that no
    page of another site can lock the operator out."""
    reads_per_second: Annotated[int, Field(ge=1, le=100_000)] = 40
    """Reads of the API a second for programs; the console has four times as many. A long read is followed by a rest of
    four times its duration. Others wait up to 2 s, those of the console 4 s, or get 429."""
    vendor_stand_in: Annotated[str, Field(pattern=r"^(https?://[^\s/?#@]+(/[^\s?#]*)?)?$")] = ""
    """URL of a server that is checked in place of every OAuth vendor: demo and tests only."""

    def as_answered(self, data_dir: Path) -> dict[str, Any]:
        """Answer the effective settings as JSON values, with the data folder really used."""
        values = self.model_copy(update={"data_dir": data_dir}).model_dump(mode="json")
        for name in ("database_url", "metrics_token"):
            values[name] = "set" if values[name] else ""
        return {to_camel(name): value for name, value in values.items()}


def state_folder(environment: Mapping[str, str]) -> Path:
    """Answer the data folder where none is set and no config.yaml is known: below the user's state folder."""
    base = environment.get("XDG_STATE_HOME", "")
    return (Path(base) if base else Path.home() / ".local" / "state") / DATA_FOLDER


def meaning_of(name: str) -> str:
    """Return the meaning of a setting in one line."""
    return " ".join((ServiceSettings.model_fields[name].description or "").split())
