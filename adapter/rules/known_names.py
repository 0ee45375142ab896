"""The candidate names of accounts as last listed: what a status change tries when an id has moved since."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from adapter.port.accounts import Account
from adapter.port.section import AccountRef, FileRef
from adapter.rules.identity import candidate_names

T = TypeVar("T")


class KnownNames:
    """Names by ref, from every listing so far; later listings replace what they know of a ref."""

    def __init__(self) -> None:
        self._names: dict[AccountRef, tuple[str, ...]] = {}

    def learn(self, accounts: Iterable[Account]) -> None:
        """Keep the names of the accounts just listed."""
        self._names.update((account.ref, account.names) for account in accounts if account.auth_index)

    def of(self, ref: AccountRef) -> tuple[str, ...]:
        """The names to try for `ref`, in the spec's order; derived from the ref itself when it was never listed."""
        known = self._names.get(ref)
        if known:
            return known
        return (
            candidate_names(ref.name, ref.name, "")
            if isinstance(ref, FileRef)
            else candidate_names(ref.entry_id, "", "")
        )

    def find(self, ref: AccountRef, accounts: Mapping[str, T]) -> tuple[T | None, tuple[str, ...]]:
        """What a status change of `ref` reaches among `accounts` (by name), and the names tried on the way."""
        tried: list[str] = []
        for name in self.of(ref):
            tried.append(name)
            if name in accounts:
                return accounts[name], tuple(tried)
        return None, tuple(tried)


def meant_by_names(accounts: Iterable[Account]) -> dict[str, list[Account]]:
    """Which accounts each name means; see `meant_by`."""
    return meant_by(list(accounts), lambda account: account.names)


def meant_by(listed: Sequence[T], names_of: Callable[[T], Sequence[str]]) -> dict[str, list[T]]:
    """Who each name means; a name in an earlier place of the candidates outweighs the same one in a later."""
    found: dict[str, list[T]] = {}
    for place in range(max((len(names_of(one)) for one in listed), default=0)):
        here: dict[str, list[T]] = {}
        for one in listed:
            names = names_of(one)
            if place < len(names):
                here.setdefault(names[place], []).append(one)
        found = here | found
    return found
