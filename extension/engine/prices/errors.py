"""Errors of prices and aliases; see `extension.engine.errors`."""
# ruff: noqa: N818 - each name states the problem; an "Error" suffix would add nothing

from extension.engine.errors import EngineError
from extension.prices.price import PriceSource
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import Parameter, Reason, ReasonList, because


class PriceUnknown(EngineError):
    """There is no stored price with that number."""

    code = "price_unknown"

    def __init__(self, price_id: int) -> None:
        super().__init__(f"There is no stored price {price_id}.", "Take a number from the list of prices.")


class PriceInvalid(EngineError):
    """A price was given that cannot be stored."""

    code = "bad_price"

    def __init__(self, reason: Reason, field: str) -> None:
        super().__init__(reason.text, "Correct the price.")
        self.reasons = ReasonList((reason,))
        self.field = field


class ListUnavailable(EngineError):
    """A public list could not be fetched, or the answer is no list."""

    code = "price_list_unavailable"

    def __init__(self, source: PriceSource, code: ReasonCode, **parameters: Parameter) -> None:
        self.reasons = because(code, price_list=source.value, **parameters)
        super().__init__(
            self.reasons.text,
            "Check the connection and the gateway's proxy-url, or try again later. Stored prices stay in force.",
        )


class PreviewOutdated(EngineError):
    """The public list is no longer the one that was previewed."""

    code = "preview_outdated"

    def __init__(self) -> None:
        super().__init__("The price list has changed since the preview.", "Preview again, then apply.")


class AliasTaken(EngineError):
    """Another client key has this alias."""

    code = "alias_taken"
    field = "alias"

    def __init__(self, alias: str) -> None:
        super().__init__(f"Another client key is called {alias!r}.", "Choose another alias, or remove that one first.")


class AliasUnknown(EngineError):
    """The client key has no alias."""

    code = "alias_unknown"

    def __init__(self) -> None:
        super().__init__("This client key has no alias.", "Take a fingerprint from the list of aliases.")
