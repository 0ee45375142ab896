"""Explanation of a cost as lines of the terminal."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final

from extension.cli.output.text import counted, plain

_SOURCES: Final[Mapping[str, str]] = MappingProxyType(
    {"override": "your own price", "synced": "taken over from a public list", "built_in": "built-in list"}
)
_REASONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "no_price": "no list has the model",
        "no_service_tier": "no price for the service tier",
        "no_rate": "the price has no rate for the tokens",
        "unclassified": "the records do not say which kind the tokens are",
        "inconsistent": "the counts of the records contradict their total",
        "not_reported": "the gateway reports no tokens",
    }
)


def explanation_lines(answer: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of an explanation: each price with its parts, then the requests without a cost."""
    for use in answer["prices"]:
        yield _price(use)
        for part in use["parts"]:
            per = "" if part["per"] == 1 else f" per {part['per']:,}"
            rate_of = "" if part["rateOf"] == part["unit"] else f" (rate of {part['rateOf']})"
            yield f"  {part['count']:,} {part['unit']} x ${part['amount']}{per}{rate_of} = ${_amount(part['usd'])}"
        if use["unclassified"]:
            yield f"  {use['unclassified']:,} tokens of no known kind: not included"
    if answer["leftOff"]:
        yield f"{counted(answer['leftOff'], 'more price')}: see --json and narrow the period."
    for use in answer["unpriced"]:
        hint = "; rate again: poolkeeper price rerate" if use["pricedNow"] else ""
        model = plain(f"{use['provider']}/{use['model']}")
        reason = "rated before there was a price" if use["pricedNow"] else _REASONS[use["reason"]]
        yield f"{counted(use['requests'], 'request')} of {model} without a cost: {reason}{hint}"


def _price(use: Mapping[str, Any]) -> str:
    requests = counted(use["requests"], "request")
    if not use["version"]:
        return f"{requests} refused without any token: $0"
    model = plain(f"{use['provider']}/{use['model']}" if use["provider"] else use["model"])
    tier = "" if use["serviceTier"] == "standard" else f", tier {use['serviceTier']}"
    above = "" if use["above"] is None else f", above {use['above']:,} input tokens"
    since = f", from {use['validFrom']}" if use["validFrom"] else ""
    source = f"{_SOURCES[use['source']]}{since}, version {use['version']}"
    mark = "\u2265 " if use["incomplete"] else ""
    return f"{requests} by {model}{tier}{above} ({source}): {mark}${_amount(use['usd'])}"


def _amount(text: str) -> str:
    return format(Decimal(text).normalize(), "f")
