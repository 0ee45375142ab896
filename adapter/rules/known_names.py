"""The candidate names of accounts as last listed, for status changes whose id has moved since."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from adapter.port.accounts import Account
from adapter.port.section import AccountRef, FileRef
from adapter.rules.identity import candidate_names

T = TypeVar("T")


class KnownNames:
    """Names by ref, from every listing so far; later listings replace the names of a ref."""

    def __init__(self) -> None:
        self._names: dict[AccountRef, tuple[str, ...]] = {}

    def learn(self, accounts: Iterable[Account]) -> None:
        """Keep the names of the accounts just listed."""
        self._names.update((account.ref, account.names) for account in accounts if account.auth_index)

    def of(self, ref: AccountRef) -> tuple[str, ...]:
        """Return the names to try for `ref`, in that order; made from the ref itself when it was never listed."""
        names = self._names.get(ref)
        if names:
            return names
        return (
            candidate_names(ref.name, ref.name, "")
            if isinstance(ref, FileRef)
            else candidate_names(ref.entry_id, "", "")
        )

    def find(self, ref: AccountRef, accounts: Mapping[str, T]) -> tuple[T | None, tuple[str, ...]]:
        """Return the target of a status change of `ref` among `accounts` (by name), and the names tried."""
        tried: list[str] = []
        for name in self.of(ref):
            tried.append(name)
            if name in accounts:
                return accounts[name], tuple(tried)
        return None, tuple(tried)


def meant_by_names(accounts: Iterable[Account]) -> dict[str, list[Account]]:
    """Return the accounts of each name; see `meant_by`."""
    return meant_by(list(accounts), lambda account: account.names)


def meant_by(listed: Sequence[T], names_of: Callable[[T], Sequence[str]]) -> dict[str, list[T]]:
    """Return the owners of each name; an earlier place among the candidates outweighs a later one."""
    owners: dict[str, list[T]] = {}
    for place in range(max((len(names_of(account)) for account in listed), default=0)):
        owners_here: dict[str, list[T]] = {}
        for account in listed:
            names = names_of(account)
            if place < len(names):
                owners_here.setdefault(names[place], []).append(account)
        owners = owners_here | owners
    return owners
