"""Settings of an inspection: names, values and defaults as the page stores them and a run receives them."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, Strict, StrictBool, ValidationError, model_validator
from pydantic.alias_generators import to_camel
from pydantic_core import ErrorDetails, PydanticCustomError

from extension.inspection.accounts.account import Source
from extension.inspection.accounts.families import Family
from extension.reasons.codes import ReasonCode
from extension.reasons.field_flaw import field_flaw
from extension.reasons.reason import Parameter, Reason, ReasonList

_FAMILY_NAMES = ("targetType", "target_type", "apiKeyFamily", "api_key_family")
_MOST_ACCOUNTS = 1_000_000
_PLAIN_TEXT = r"^[^\x00-\x1f\x7f]*$"


class SettingsError(ValueError):
    """A setting that cannot be used. The reason names its ``field`` as in JSON and gives the allowed values.

    ``required``: it has no default, so that it cannot be left out.
    """

    def __init__(self, reason: Reason, *, required: bool = False) -> None:
        super().__init__(reason.text)
        self.reasons = ReasonList((reason,))
        self.field = str(reason.parameters["field"])
        self.required = required

    @classmethod
    def because(cls, field: str, code: ReasonCode, **parameters: Parameter) -> Self:
        """Return the error of a setting that has a default."""
        return cls(Reason(code, {"field": field, **parameters}))


class PromptMode(StrEnum):
    """Question of a chat or messages probe: one word, a small sum, or a question from a list."""

    FIXED = "fixed"
    MATH = "math"
    RANDOM = "random"


class ModelsPath(StrEnum):
    """Path of the models list below a base address; ``auto`` looks whether the base already names a version."""

    AUTO = "auto"
    VERSIONED = "/v1/models"
    PLAIN = "/models"


class AutoActionMode(StrEnum):
    """Automatic actions of a run on its recommendations."""

    NONE = "none"
    DISABLE = "disable"
    DELETE = "delete"
    STRATEGY_4 = "strategy4"
    STRATEGY_5 = "strategy5"
    STRATEGY_6 = "strategy6"


class DecisionPolicy(StrEnum):
    """Rule from verdict to recommendation: the strict first phase, or with choices for quota and provider trouble."""

    FIRST_PHASE = "first_phase"
    CONFIGURABLE = "configurable"


class CheckDepth(StrEnum):
    """Depth of a check: an accepted key, or a minimal chat as well, which costs tokens."""

    CONNECTIVITY = "connectivity"
    USABLE = "usable"


class Leniency(StrEnum):
    """The two things a choice of the configurable policy can say."""

    KEEP = "keep"
    DISABLE = "disable"


AUTO_ACTION_MODES: Mapping[Source, tuple[AutoActionMode, ...]] = {
    Source.API_KEY: (AutoActionMode.NONE, AutoActionMode.DISABLE),
    Source.OAUTH: tuple(AutoActionMode),
}
"""The modes each source knows: nothing that could delete is among those of API keys."""

_SHAPE = ConfigDict(
    frozen=True, extra="forbid", alias_generator=to_camel, validate_by_name=True, validate_by_alias=True
)


class RealtimeAutoActions(BaseModel):
    """Which recommendations are applied right after a probe; they need an automatic mode other than ``none``."""

    model_config = _SHAPE

    disable: StrictBool = True
    enable: StrictBool = True
    delete: StrictBool = False


class InspectionSettings(BaseModel):
    """Everything an operator can choose for one run; immutable, stored with the run as the page spells it.

    Times are seconds, ``brake_share`` is a share from 0 to 1, ``sample_size`` 0 means every account, ``host_limit`` 0
    that a host is asked as often at a time as there are workers. ``evidence_first`` spares accounts whose own traffic
    went well. ``evidence_checks`` weighs an answer before it counts against a key: walls, answers known by vendor, and
    a control with a wrong key; off is the table by status alone. Under the API-key source ``target_type`` carries the
    family and ``api_key_family`` follows it; under OAuth ``target_type`` is the type of the files or ``all``, and
    ``provider_filter`` has no effect. From ``short_window_percent`` and ``long_window_percent`` on the quota of an
    OAuth file counts as used up, in windows of up to a day and in longer ones; 0 leaves such windows out. One run
    disables at most the share ``disable_limit`` of the enabled accounts by itself, but always ``disable_minimum``.
    It leaves ``keep_at_least`` enabled accounts on each host, or of each provider where there is no base URL.
    """

    model_config = _SHAPE

    account_source: Source = Source.OAUTH
    target_type: str = Field(default=Family.ALL.value, min_length=1, max_length=100, pattern=_PLAIN_TEXT)
    api_key_family: Family = Family.ALL
    provider_filter: str = Field(default="", max_length=200, pattern=_PLAIN_TEXT)
    probe_model: str = Field(default="", max_length=200, pattern=_PLAIN_TEXT)
    probe_prompt_mode: PromptMode = PromptMode.FIXED
    models_path: ModelsPath = ModelsPath.AUTO
    auto_action_mode: AutoActionMode = AutoActionMode.NONE
    realtime_auto_actions: RealtimeAutoActions = RealtimeAutoActions()
    decision_policy: DecisionPolicy = DecisionPolicy.FIRST_PHASE
    on_quota: Leniency = Leniency.KEEP
    on_server_error: Leniency = Leniency.KEEP
    workers: Annotated[int, Strict(), Field(ge=1, le=256)] = 32
    timeout_seconds: Annotated[int, Strict(), Field(ge=1, le=120)] = 15
    retries: Annotated[int, Strict(), Field(ge=0, le=5)] = 1
    host_limit: Annotated[int, Strict(), Field(ge=0, le=256)] = 0
    sample_size: Annotated[int, Strict(), Field(ge=0, le=_MOST_ACCOUNTS)] = 0
    evidence_first: StrictBool = False
    evidence_checks: StrictBool = True
    check_depth: CheckDepth = CheckDepth.CONNECTIVITY
    short_window_percent: Annotated[int, Strict(), Field(ge=0, le=100)] = 100
    long_window_percent: Annotated[int, Strict(), Field(ge=0, le=100)] = 100
    brake: StrictBool = True
    brake_share: Annotated[float, Strict(), Field(ge=0, le=1, allow_inf_nan=False)] = 0.5
    brake_minimum: Annotated[int, Strict(), Field(ge=0, le=_MOST_ACCOUNTS)] = 20
    disable_limit: Annotated[float, Strict(), Field(ge=0, le=1, allow_inf_nan=False)] = 0.5
    disable_minimum: Annotated[int, Strict(), Field(ge=0, le=_MOST_ACCOUNTS)] = 20
    keep_at_least: Annotated[int, Strict(), Field(ge=0, le=_MOST_ACCOUNTS)] = 0
    family_default_address: StrictBool = False
    preview_characters: Annotated[int, Strict(), Field(ge=0, le=4000)] = 280

    @model_validator(mode="before")
    @classmethod
    def _let_target_type_carry_the_family(cls, fields: Any) -> Any:
        """Under the API-key source the family follows the target type, and stands in for it where that is absent.

        Where both are there the target type counts: clients send `apiKeyFamily` with its default beside it. What is no
        family is refused by its own name.
        """
        if (
            not isinstance(fields, Mapping)
            or fields.get("accountSource", fields.get("account_source")) != Source.API_KEY
        ):
            return fields
        rest = {key: value for key, value in fields.items() if key not in _FAMILY_NAMES}
        sent = {to_camel(name): fields[name] for name in reversed(_FAMILY_NAMES) if name in fields}
        for name, value in sent.items():
            if value not in tuple(Family):
                raise _refusal(name, Source.API_KEY, tuple(Family))
        target = sent.get("targetType", sent.get("apiKeyFamily", Family.ALL))
        return {**rest, "targetType": str(target), "apiKeyFamily": target}

    @model_validator(mode="after")
    def _hold_the_rules_of_the_source(self) -> Self:
        """Refuse modes the source does not know; an API key is never deleted, even on request."""
        modes = AUTO_ACTION_MODES[self.account_source]
        if self.auto_action_mode not in modes:
            raise _refusal("autoActionMode", self.account_source, modes)
        if self.account_source is Source.API_KEY:
            # The models are frozen for all other code; this one rule overrides the given value.
            forced = self.realtime_auto_actions.model_copy(update={"delete": False})
            object.__setattr__(self, "realtime_auto_actions", forced)
        return self

    def as_stored(self) -> dict[str, Any]:
        """Return the settings as JSON values under the names the page uses; ``parse_settings`` reads it back."""
        return self.model_dump(mode="json", by_alias=True)


def _names(model: type[BaseModel]) -> tuple[str, ...]:
    return tuple(str(info.alias) for info in model.model_fields.values())


SETTING_NAMES = _names(InspectionSettings)
"""The settings as the page spells them, in the order of its form."""


def parse_settings(fields: Mapping[str, Any]) -> InspectionSettings:
    """Read settings as the page, a schedule or the command line sends them; absent ones get their default.

    Raises:
        SettingsError: for the first setting that is unknown or out of range.
    """
    for name in fields:
        if name not in SETTING_NAMES:
            raise _unknown(str(name), SETTING_NAMES)
    try:
        return InspectionSettings.model_validate(dict(fields), by_alias=True, by_name=False)
    except ValidationError as error:
        raise _translated(error.errors(include_url=False)[0]) from None


def _refusal(field: str, source: Source, names: Sequence[str]) -> PydanticCustomError:
    return PydanticCustomError(
        "setting", "{field}", {"field": field, "source": source.value, "names": ", ".join(names)}
    )


def _translated(detail: ErrorDetails) -> SettingsError:
    """Turn the first error of the validator into one that names the setting and the allowed values."""
    context = detail.get("ctx", {})
    if detail["type"] == "setting":
        return SettingsError.because(
            context["field"],
            ReasonCode.FIELD_NO_CHOICE_OF_SOURCE,
            source=context["source"],
            names=context["names"],
        )
    field = ".".join(str(part) for part in detail["loc"]) or "settings"
    if detail["type"] == "extra_forbidden":
        return _unknown(field, _names(RealtimeAutoActions))
    return SettingsError(field_flaw(field, detail, ReasonCode.FIELD_NO_PLAIN_LINE))


def _unknown(field: str, known: Sequence[str]) -> SettingsError:
    return SettingsError.because(field, ReasonCode.SETTING_UNKNOWN, names=", ".join(known))
