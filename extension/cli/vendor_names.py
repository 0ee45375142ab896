"""Names of API-key families as people know them: by vendor."""

from collections.abc import Mapping
from typing import Final

from adapter.port import Section
from extension.inspection.accounts.families import FAMILIES, Family
from extension.inspection.oauth.types import GENERIC, TYPES, UNPROBED


def family_name(family: Family) -> str:
    """Return the name of a family as an option value: its vendor in lower case."""
    return vendor_name(family).lower().replace(" ", "-")


def vendor_name(family: Family) -> str:
    """Return the vendor of a family without further detail."""
    return FAMILIES[family].label.partition(",")[0]


FAMILY_NAMES: Final[Mapping[str, Family]] = {family_name(family): family for family in FAMILIES}
"""Family for each vendor name."""

VENDORS: Final = (
    frozenset(section.row.provider for section in Section if section.row.family != Family.COMPAT)
    | frozenset((*TYPES, *UNPROBED))
) - {GENERIC}
"""Providers that stand in for the host of accounts without a base URL; any other word is a host's own name."""
