"""Settings of the service: one frozen model that reads nothing by itself."""

from collections.abc import Mapping
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError

from adapter.contract.expectations import PREFIX

DATA_FOLDER = "poolkeeper"
"""Name of the data folder beside config.yaml, when none is configured."""


def _networks(text: str) -> str:
    for item in (item.strip() for item in text.split(",") if item.strip()):
        try:
            ip_network(item, strict=False)
        except ValueError:
            raise PydanticCustomError("networks", "Input should list IP addresses or networks") from None
    return text


class ServiceSettings(BaseModel):
    """Settings of the service; their values come from `extension.serving.settings.sources`.

    `data_dir` holds database, installation key and service.json. `prefix` is the part of our own paths after
    `/v0/management/`. `keep_runs` counts the ended runs that are kept with their results at the start of a run, which
    comes on top of them, and `keep_megabytes` limits the size of these results; the oldest runs go first.
    `keep_usage_days` and `keep_usage_megabytes` limit the stored events of usage; their hourly sums stay.
    `session_hours` is the lifetime of a session of the page.
    `gateway` is the address of a remote gateway, `listen` the address of our own server in front of it; without
    `gateway` the gateway runs in this process. `secure_cookies` marks the session cookie Secure on every connection;
    otherwise the connection decides, or the `X-Forwarded-Proto` of a proxy among `trusted_proxies` (addresses and
    networks, with commas between). `reads_per_second` limits the reads of our API, so that they starve neither a run
    nor inference. `database_url` is the address of a PostgreSQL database, which several services may share; it may hold
    a password, and without it the database is a file of the data folder. `metrics_token` lets a monitoring system read
    the metrics, and nothing else, without the management key. `vendor_stand_in` is the address of a server probed in
    place of every OAuth vendor, for a demo; empty in production.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    data_dir: Path | None = None
    prefix: Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,31}$")] = PREFIX
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["console", "json"] = "console"
    gateway: str | None = None
    listen: str = "127.0.0.1:8318"
    keep_runs: Annotated[int, Field(ge=1, le=10_000)] = 200
    keep_megabytes: Annotated[int, Field(ge=1, le=1_000_000)] = 1_000
    keep_usage_days: Annotated[int, Field(ge=1, le=3_650)] = 90
    keep_usage_megabytes: Annotated[int, Field(ge=1, le=1_000_000)] = 2_000
    database_url: Annotated[str, Field(pattern=r"^(postgresql://[^\s]+)?$", repr=False)] = ""
    metrics_token: Annotated[str, Field(pattern=r"^([\x21-\x7e]{16,200})?$", repr=False)] = ""
    session_hours: Annotated[float, Field(gt=0, le=168, allow_inf_nan=False)] = 12.0
    secure_cookies: bool = False
    trusted_proxies: Annotated[str, AfterValidator(_networks)] = "127.0.0.1,::1"
    reads_per_second: Annotated[int, Field(ge=1, le=100_000)] = 40
    vendor_stand_in: Annotated[str, Field(pattern=r"^(https?://[^\s/?#@]+(/[^\s?#]*)?)?$")] = ""

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
