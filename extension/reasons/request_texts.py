"""Texts of reasons that answer a request: fields, settings, schedules and prices."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from extension.reasons.codes import ReasonCode as Code

REQUEST_TEXTS: Final[Mapping[Code, str]] = MappingProxyType(
    {
        Code.FIELD_MISSING: "{field}: it is missing.",
        Code.FIELD_UNKNOWN: "{field}: there is no such field.",
        Code.SETTING_UNKNOWN: "{field}: there is no such setting; the settings are {names}.",
        Code.FIELD_NO_WHOLE_NUMBER: "{field}: it must be a whole number.",
        Code.FIELD_NO_NUMBER: "{field}: it must be a number.",
        Code.FIELD_NO_SWITCH: "{field}: it must be true or false.",
        Code.FIELD_NO_TEXT: "{field}: it must be text.",
        Code.FIELD_NO_LIST: "{field}: it must be a list.",
        Code.FIELD_NO_OBJECT: "{field}: it must be an object.",
        Code.FIELD_NO_DATE: "{field}: it must be a date such as 2026-11-25.",
        Code.FIELD_NO_AMOUNT: "{field}: it must be an amount in US dollars such as 0.15, from 0 to 1000000.",
        Code.FIELD_NO_HEXADECIMAL: "{field}: it must be 1 to 15 hexadecimal digits.",
        Code.FIELD_NO_DIGEST: "{field}: it must be a whole number of 64 bits.",
        Code.FIELD_NO_PLAIN_LINE: "{field}: it must be one line of plain text.",
        Code.FIELD_EMPTY: "{field}: it must not be empty.",
        Code.FIELD_TOO_LONG: "{field}: it must have at most {bound} characters.",
        Code.FIELD_TOO_SHORT: "{field}: it must have at least {bound} characters.",
        Code.FIELD_TOO_MANY: "{field}: it must have at most {bound} entries.",
        Code.FIELD_TOO_FEW: "{field}: it must have at least {bound} entries.",
        Code.FIELD_TOO_LARGE: "{field}: the number is too large.",
        Code.FIELD_AT_LEAST: "{field}: it must be at least {bound}.",
        Code.FIELD_AT_MOST: "{field}: it must be at most {bound}.",
        Code.FIELD_ABOVE: "{field}: it must be more than {bound}.",
        Code.FIELD_BELOW: "{field}: it must be less than {bound}.",
        Code.FIELD_NO_CHOICE: "{field}: it must be one of {names}.",
        Code.FIELD_NO_CHOICE_OF_SOURCE: "{field}: under {source} it must be one of {names}.",
        Code.FIELD_UNFIT: "{field}: it does not have the allowed form.",
        Code.FIELD_REFUSED: "{field}: {said}.",
        Code.FIELD_OF_SLIM_VIEW: "{field}: it needs view=slim.",
        Code.BODY_NO_JSON: "The body is not valid JSON.",
        Code.REQUEST_UNFIT: "The {request_part} does not fit.",
        Code.LINE_NO_EVENT: "Line {line} is no event of usage.",
        Code.END_BEFORE_START: "{field}: it is before start.",
        Code.STEP_TOO_SHORT: "{field}: the period has too many parts of one {step}.",
        Code.ZONE_UNKNOWN: "{field}: it must be a time zone such as Asia/Shanghai, Europe/Berlin or UTC.",
        Code.CRON_FIELDS: "{field}: it must have five fields: minute, hour, day of month, month and day of week.",
        Code.CRON_UNREADABLE: "{field}: its {cron_part} cannot be used.",
        Code.CRON_NEVER: "{field}: it names no time that ever comes.",
        Code.INTERVAL_OR_CRON: "{field}: a schedule has either an interval or a cron expression.",
        Code.SCHEDULE_SETTING_REFUSED: "A setting cannot be used; save the schedule again.",
        Code.WEBHOOK_ADDRESS: "{field}: it must be an http or https address of at most {bound} characters.",
        Code.CHANNEL_ADDRESS: "{field}: it must be an address of the Apprise library, such as slack://… or mailto://….",
        Code.UNDO_REFUSED: "Nothing was undone, because these actions cannot be undone: {actions}.",
        Code.PRICE_EMPTY: "The price has no rate.",
        Code.AMOUNT_OUT_OF_RANGE: "An amount is between 0 and {bound} US dollars.",
        Code.AMOUNT_TOO_FINE: "An amount has at most {bound} decimals.",
        Code.AMOUNT_NO_NUMBER: "An amount is a decimal number.",
        Code.AMOUNT_FOR_NOTHING: "An amount is for at least one unit.",
        Code.THRESHOLD_NOT_POSITIVE: "A threshold is above 0 tokens.",
        Code.THRESHOLDS_UNSORTED: "Thresholds ascend, each above the one before.",
        Code.UNIT_UNKNOWN: "There is no unit {name}; use one of {names}.",
        Code.LIST_NOT_PUBLIC: "{field}: {name} is no public list.",
        Code.LIST_NOT_FETCHED: "The price list {price_list} could not be fetched: {list_problem}.",
        Code.LIST_TOO_SLOW: (
            "The price list {price_list} could not be fetched: no complete answer within {seconds} seconds."
        ),
        Code.LIST_STATUS: "The price list {price_list} could not be fetched: the answer was HTTP {status}.",
        Code.LIST_TOO_LARGE: (
            "The price list {price_list} could not be fetched: the answer is larger than {bytes} bytes."
        ),
        Code.LIST_WITHOUT_PRICES: (
            "The price list {price_list} could not be fetched: the document has {count} priced models; it is no "
            "list of prices."
        ),
    }
)
"""Sentence of each code."""
