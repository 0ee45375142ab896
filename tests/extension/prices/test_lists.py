from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extension.prices.differences import differences, priced_by_both
from extension.prices.lists.built_in import BuiltInList
from extension.prices.lists.public_list import ListInvalid, read_litellm, read_models_dev
from extension.prices.price import OverrideList, Quote
from extension.prices.price_book import PriceBook
from extension.prices.rates import Unit, rates_as_json, rates_from_json
from tests.extension.prices.samples import NOON, decoded, litellm

SONNET = {
    "litellm_provider": "anthropic",
    "input_cost_per_token": 3e-06,
    "input_cost_per_token_above_200k_tokens": 6e-06,
    "input_cost_per_token_batches": 1.5e-06,
    "output_cost_per_token": 1.5e-05,
    "cache_creation_input_token_cost": 3.75e-06,
    "cache_creation_input_token_cost_above_1hr": 6e-06,
    "cache_creation_input_token_cost_above_200k_tokens": 7.5e-06,
    "cache_read_input_token_cost": 3e-07,
    "max_tokens": 64000,
}


def test_litellms_amounts_for_a_token_become_exact_amounts_for_a_million() -> None:
    listed = read_litellm(decoded(litellm(**{"claude-sonnet-4-5": SONNET})))
    (price,) = listed.find("anthropic", "claude-sonnet-4-5")
    quote = price.quote(NOON, "standard")
    assert quote is not None
    assert rates_as_json(quote.rates) == {
        "input": {"amount": "3", "per": 1_000_000, "above": [{"tokens": 200_000, "amount": "6"}]},
        "cache_read": {"amount": "0.3", "per": 1_000_000},
        "cache_write_5m": {"amount": "3.75", "per": 1_000_000, "above": [{"tokens": 200_000, "amount": "7.5"}]},
        "cache_write_1h": {"amount": "6", "per": 1_000_000},
        "output": {"amount": "15", "per": 1_000_000},
    }
    assert rates_from_json(rates_as_json(quote.rates)) == quote.rates
    batch = price.quote(NOON, "batch")
    assert batch is not None
    assert batch.rates[Unit.INPUT].amount == Decimal("1.5")


def test_the_provider_in_front_of_a_name_is_dropped() -> None:
    entry = {"litellm_provider": "xai", "input_cost_per_token": 3e-06}
    assert read_litellm(decoded(litellm(**{"xai/grok-4": entry}))).find("x-ai", "grok-4")


def test_an_absurd_entry_is_rejected_and_the_others_stay() -> None:
    listed = read_litellm(decoded(litellm(bad={"litellm_provider": "openai", "input_cost_per_token": -1})))
    assert (listed.rejected, len(listed.prices)) == (1, 12)


def test_models_dev_is_read_with_its_long_context_rates() -> None:
    models = {f"model-{number}": {"cost": {"input": 1, "output": 2}} for number in range(12)}
    models["long"] = {"cost": {"input": 1.25, "output": 10, "context_over_200k": {"input": 2.5}}}  # type: ignore[dict-item]
    listed = read_models_dev(decoded({"google": {"models": models}, "broken": [], "empty": {"models": None}}))
    (price,) = listed.find("google", "long")
    quote = price.quote(NOON, "standard")
    assert quote is not None
    assert rates_as_json(quote.rates)["input"]["above"] == [{"tokens": 200_000, "amount": "2.5"}]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.decimals() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.sampled_from(sorted(SONNET)), inner),
    max_leaves=8,
)


@settings(max_examples=60)
@given(json_values)
def test_a_foreign_document_is_refused_as_no_list(document: Any) -> None:
    for read in (read_litellm, read_models_dev):
        with pytest.raises(ListInvalid):
            read(document)


@settings(max_examples=60)
@given(st.dictionaries(st.text(min_size=1), json_values, min_size=1))
def test_a_list_with_foreign_entries_keeps_its_own(entries: dict[str, Any]) -> None:
    document = {**entries, **decoded(litellm())}
    assert read_litellm(document).find("nowhere", "padding-3")


def test_lists_that_differ_are_shown_with_the_factor() -> None:
    entry = {"litellm_provider": "openai", "input_cost_per_token": 6.25e-06, "output_cost_per_token": 1e-05}
    agreed = {"litellm_provider": "openai", "input_cost_per_token": 2.5e-07, "output_cost_per_token": 2e-06}
    listed = read_litellm(decoded(litellm(**{"gpt-5": entry, "gpt-5-mini": agreed})))
    book = PriceBook([OverrideList([]), BuiltInList()])
    by_model = {difference.model: difference for difference in differences(book, listed, NOON)}
    assert isinstance(by_model["gpt-5"].ours, Quote)
    assert [(unit.unit, unit.factor) for unit in by_model["gpt-5"].units] == [(Unit.INPUT, Decimal(5))]
    assert "gpt-5-mini" not in by_model
    assert by_model["padding-1"].ours is None
    assert [difference.model for difference in differences(book, listed, NOON, ["openai/gpt-5"])] == ["gpt-5"]
    assert priced_by_both(book, listed, NOON) == 2
