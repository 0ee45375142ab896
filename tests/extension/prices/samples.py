"""Prices and lists that the tests share."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from extension.prices.price import STANDARD, ModelPrice, PriceSource, PriceVersion, Quote
from extension.prices.rates import MILLION, Rate, Threshold, Unit

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)


def rate(amount: str, *above: tuple[int, str], per: int = MILLION) -> Rate:
    return Rate(Decimal(amount), per, tuple(Threshold(tokens, Decimal(price)) for tokens, price in above))


def quote(rates: Mapping[Unit, Rate], source: PriceSource = PriceSource.BUILT_IN) -> Quote:
    quote = ModelPrice("maker", "model", source, (PriceVersion(rates),)).quote(NOON, STANDARD)
    assert quote is not None
    return quote


def decoded(document: Any) -> Any:
    return json.loads(json.dumps(document), parse_float=Decimal)


def litellm(**changed: Any) -> dict[str, Any]:
    """A list in LiteLLM's form, with enough models to be believed; `changed` are models by name."""
    padding: dict[str, Any] = {
        f"padding-{number}": {"litellm_provider": "nowhere", "input_cost_per_token": 1e-06} for number in range(12)
    }
    return {"sample_spec": {"input_cost_per_token": 0.0}, **padding, **changed}
