"""Vendors: where the requests to the vendors' own addresses go."""

from dataclasses import dataclass
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class Vendors:
    """Turns the vendors' public addresses, which the tables hold as data, into those that are called.

    Without a stand-in they are called as they are. With one, for a demo or a test, everything goes below its address:
    `https://host/path` becomes `STAND_IN/host/path`, so that one server can stand in for all vendors and nothing
    leaves the machine.
    """

    stand_in: str = ""

    def address(self, public: str) -> str:
        """Return the replacement of a public address; a query stays."""
        if not self.stand_in:
            return public
        parts = urlsplit(public)
        query = f"?{parts.query}" if parts.query else ""
        return f"{self.stand_in.rstrip('/')}/{parts.netloc}{parts.path}{query}"


PUBLIC = Vendors()
"""The vendors themselves."""
