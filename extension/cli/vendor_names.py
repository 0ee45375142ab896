"""Names of API-key families as people know them: by vendor."""

from collections.abc import Mapping
from typing import Final

from extension.inspection.accounts.families import FAMILIES, Family


def family_name(family: Family) -> str:
    """Return the name of a family as an option value: its vendor in lower case."""
    return vendor_name(family).lower().replace(" ", "-")


def vendor_name(family: Family) -> str:
    """Return the vendor of a family without further detail."""
    return FAMILIES[family].label.partition(",")[0]


FAMILY_NAMES: Final[Mapping[str, Family]] = {family_name(family): family for family in FAMILIES}
"""Family for each vendor name."""
