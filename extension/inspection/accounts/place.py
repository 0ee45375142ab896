"""Places of accounts in the gateway's configuration, as people read them."""

from typing import Final

from adapter.port import Account, KeyRef

_KEY_ENTRIES: Final = "api-key-entries"


def place_text(account: Account) -> str:
    """Return the place of an entry in the configuration, such as `claude-api-key[5]`; empty without one.

    A key of a compatible provider with several has the place among them too.
    """
    ref = account.ref
    if not isinstance(ref, KeyRef) or ref.section is None or account.place is None:
        return ""
    entry = f"{ref.section.value}[{account.place}]"
    number = account.key_place
    alone = number is None or (number == 0 and account.provider_keys <= 1)
    return entry if alone else f"{entry}.{_KEY_ENTRIES}[{number}]"
