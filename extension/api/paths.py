"""The paths of this service, all from the table of the contract."""

from dataclasses import dataclass

from adapter.contract.expectations import LIVE, METRICS, READY, own, own_root

TERMINAL_AGENT = "poolkeeper-terminal"
"""User agent of our own command line; it only decides how an action's actor is called."""

_UNPREFIXED = (own("usage"),)
"""Resources of ours without the prefix, with all that stands below them."""
_OUTSIDE = ("model-prices", "model-prices/sync", "model-price-proxy", "api-key-aliases")
"""Names of single paths of ours without the prefix."""


@dataclass(frozen=True, slots=True)
class Paths:
    """Full paths of the resources under a configured prefix."""

    prefix: str

    @property
    def root(self) -> str:
        """Beginning of everything under the prefix."""
        return own_root(self.prefix)

    def part(self, name: str) -> str:
        """Answer the full path of one of our own resources or of its sub-resources, by its name in the contract."""
        return own(name, self.prefix)

    @property
    def outside(self) -> frozenset[str]:
        """Return our own paths that stand beside the prefix."""
        return frozenset({METRICS, LIVE, READY, *(self.part(name) for name in _OUTSIDE)})

    @property
    def of_session(self) -> tuple[str, ...]:
        """Return the paths of the session cookie; each covers what is below it, none a path of the gateway."""
        single = (name for name in _OUTSIDE if "/" not in name)
        return (self.root, *_UNPREFIXED, *(self.part(name) for name in single))

    def contains(self, path: str) -> bool:
        """Return whether a path is ours: below our prefix or our usage path, there or not, or a path beside them."""
        below = any(path == root or path.startswith(f"{root}/") for root in (self.root, *_UNPREFIXED))
        return below or path in self.outside
