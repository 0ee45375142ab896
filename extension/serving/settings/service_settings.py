"""Settings of the service: one frozen model that reads nothing by itself."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from adapter.contract.expectations import PREFIX

DATA_FOLDER = "poolkeeper"
"""Name of the data folder beside config.yaml, when none is configured."""


class ServiceSettings(BaseModel):
    """Settings of the service; their values come from `extension.serving.settings.sources`.

    `data_dir` holds database, installation key and service.json. `prefix` is the part of our own paths after
    `/v0/management/`. `keep_runs` counts the ended runs that are kept with their results, and `keep_megabytes` limits
    the size of these results; the oldest runs go first. `keep_usage_days` and `keep_usage_megabytes` limit the stored
    events of usage; their hourly sums stay. `session_hours` is the lifetime of a session of the page.
    `gateway` is the address of a remote gateway, `listen` the address of our own server in front of it; without
    `gateway` the gateway runs in this process. `webhook` is the address notified of ended runs and missed starts; it
    may hold a token, so it is answered as set or not set only. `vendor_stand_in` is the address of a server probed in
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
    webhook: Annotated[str, Field(pattern=r"^(https?://[^\s]+)?$", repr=False)] = ""
    session_hours: Annotated[float, Field(gt=0, le=168, allow_inf_nan=False)] = 12.0
    vendor_stand_in: Annotated[str, Field(pattern=r"^(https?://[^\s/?#@]+(/[^\s?#]*)?)?$")] = ""

    def as_answered(self, data_dir: Path) -> dict[str, Any]:
        """Answer the effective settings as JSON values, with the data folder really used."""
        values = self.model_copy(update={"data_dir": data_dir}).model_dump(mode="json")
        values["webhook"] = "set" if self.webhook else ""
        return {to_camel(name): value for name, value in values.items()}


def state_folder(environment: Mapping[str, str]) -> Path:
    """Answer the data folder where none is set and no config.yaml is known: below the user's state folder."""
    base = environment.get("XDG_STATE_HOME", "")
    return (Path(base) if base else Path.home() / ".local" / "state") / DATA_FOLDER
