"""The demo pool as a table: every account, its key's behavior, and the expected result of an inspection."""

from dataclasses import dataclass

from .behavior import Behavior, demo_key

COMPAT = "openai-compatibility"
VENDOR_A = "gemini-api-key"
VENDOR_B = "claude-api-key"
VENDOR_C = "codex-api-key"
VENDOR_D = "vertex-api-key"

_PATHS = {COMPAT: "/v1", VENDOR_C: "/v1"}
"""End of a base address where the gateway appends paths without a version."""


@dataclass(frozen=True, slots=True)
class DemoRow:
    """One account with API key. `name` is unique; `provider` names the entry it is a key of, several rows may share it.

    `verdict`, `first_phase` and `configurable` are the expected results: a verdict and, for each of the two
    policies with their defaults, an action. `excluded` are the patterns of the entry, `*` among them means disabled.
    """

    name: str
    section: str
    behavior: Behavior
    verdict: str
    first_phase: str
    configurable: str
    comment: str
    provider: str = ""
    disabled: bool = False
    addressed: bool = True
    excluded: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The account's key, which no other account has."""
        return demo_key(self.behavior, self.name)

    @property
    def entry(self) -> str:
        """Name of the configuration entry that holds the key."""
        return self.provider or self.name

    @property
    def enabled(self) -> bool:
        """Return whether the account is enabled at first."""
        return not self.disabled and "*" not in self.excluded

    def base_url(self, address: str) -> str:
        """Return the base address below the stand-in's: its own for each entry; empty when the account has none."""
        return f"{address}/{self.entry}{_PATHS.get(self.section, '')}" if self.addressed else ""


_B = Behavior

DEMO_ROWS: tuple[DemoRow, ...] = (
    DemoRow("ok", COMPAT, _B.OK, "healthy", "keep", "keep", "works"),
    DemoRow("wrong-key", COMPAT, _B.UNAUTHORIZED, "invalid_key", "disable", "disable", "401: the key is refused"),
    DemoRow("forbidden", COMPAT, _B.FORBIDDEN, "forbidden", "disable", "disable", "403: the key may not do this"),
    DemoRow("unpaid", COMPAT, _B.PAYMENT, "out_of_quota", "disable", "keep", "402: the balance is used up"),
    DemoRow("rate-limited", COMPAT, _B.RATE_LIMITED, "rate_limited", "disable", "keep", "429 with Retry-After"),
    DemoRow("weekly-limit", COMPAT, _B.QUOTA, "out_of_quota", "disable", "keep", "429 with the time of its reset"),
    DemoRow("failing", COMPAT, _B.FAILING, "provider_error", "disable", "keep", "500: the provider has trouble"),
    DemoRow("no-models", COMPAT, _B.MODELS_ABSENT, "healthy", "keep", "keep", "models answers 404, but chat works"),
    DemoRow("no-get", COMPAT, _B.MODELS_REFUSED, "healthy", "keep", "keep", "models answers 405, but chat works"),
    DemoRow("other-model", COMPAT, _B.OTHER_MODEL, "inconclusive", "keep", "keep", "chat does not know the model"),
    DemoRow("slow", COMPAT, _B.SLOW, "healthy", "keep", "keep", "works, after a while"),
    DemoRow("silent", COMPAT, _B.SILENT, "unreachable", "disable", "disable", "never answers"),
    DemoRow("closing", COMPAT, _B.CLOSING, "unreachable", "disable", "disable", "closes the connection"),
    DemoRow("web-page", COMPAT, _B.WEB_PAGE, "blocked", "keep", "keep", "200 with a web page"),
    DemoRow("big", COMPAT, _B.BIG, "healthy", "keep", "keep", "200 with 5 MB"),
    DemoRow("big-failing", COMPAT, _B.BIG_FAILURE, "provider_error", "disable", "keep", "500 with 5 MB"),
    DemoRow("duo-good", COMPAT, _B.OK, "healthy", "keep", "keep", "two keys: cannot be switched from here", "duo"),
    DemoRow("duo-bad", COMPAT, _B.UNAUTHORIZED, "invalid_key", "disable", "disable", "the second of two keys", "duo"),
    DemoRow("switched-off", COMPAT, _B.OK, "healthy", "enable", "enable", "disabled, yet it works", disabled=True),
    DemoRow("claude-ok", VENDOR_B, _B.OK, "healthy", "keep", "keep", "works"),
    DemoRow("claude-wrong-key", VENDOR_B, _B.UNAUTHORIZED, "invalid_key", "disable", "disable", "401"),
    DemoRow("claude-failing", VENDOR_B, _B.FAILING, "provider_error", "disable", "keep", "500"),
    DemoRow(
        "claude-patterns", VENDOR_B, _B.FORBIDDEN, "forbidden", "disable", "disable",
        "403, with patterns that must survive switching", excluded=("claude-opus-*", "*-preview"),
    ),
    DemoRow("claude-off", VENDOR_B, _B.OK, "healthy", "enable", "enable", "disabled, yet it works", excluded=("*",)),
    DemoRow(
        "claude-off-wrong-key", VENDOR_B, _B.UNAUTHORIZED, "invalid_key", "keep", "keep",
        "disabled, and rightly so", excluded=("*",),
    ),
    DemoRow("claude-nowhere", VENDOR_B, _B.OK, "no_base_url", "keep", "keep", "no base address", addressed=False),
    DemoRow("gemini-ok", VENDOR_A, _B.OK, "healthy", "keep", "keep", "works"),
    DemoRow("gemini-native", VENDOR_A, _B.NATIVE_HEADER, "healthy", "keep", "keep", "takes its own header only"),
    DemoRow("gemini-wrong-key", VENDOR_A, _B.UNAUTHORIZED, "invalid_key", "disable", "disable", "401"),
    DemoRow("codex-ok", VENDOR_C, _B.OK, "healthy", "keep", "keep", "works"),
    DemoRow("codex-limited", VENDOR_C, _B.RATE_LIMITED, "rate_limited", "disable", "keep", "429 with Retry-After"),
    DemoRow("vertex-ok", VENDOR_D, _B.OK, "healthy", "keep", "keep", "works"),
)  # fmt: skip
"""Every API-key account of the demo pool, in the order of its configuration."""
