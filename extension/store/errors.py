"""Errors of the store; each text states the problem and the next step."""
# ruff: noqa: N818 - each name states the problem; an "Error" suffix would add nothing


class StoreError(Exception):
    """The store cannot carry out the request; earlier commits are intact."""


class DataFolderUnusable(StoreError):
    """The data folder cannot be made, read or written by this user."""


class DataFolderInUse(StoreError):
    """Another running service holds the data folder; `holder` is its process, 0 when that is not known."""

    def __init__(self, text: str, holder: int = 0) -> None:
        super().__init__(text)
        self.holder = holder


class InstallationKeyLost(StoreError):
    """The key that account identities are made with is gone or damaged, though a database made with it is there."""


class InstallationKeyForeign(InstallationKeyLost):
    """The shared database was made with the installation key of another process."""


class DatabaseTooNew(StoreError):
    """The database was written by a newer version of the software."""


class DatabaseTooOld(StoreError):
    """The database is from before the first release."""


class DatabaseTrouble(StoreError):
    """The database refused a statement or a commit."""


class DatabaseUnavailable(DatabaseTrouble):
    """The database cannot be used at the moment: no room, no access, or its server is away.

    `plain` is the cause and the next step without a path or a name, for everyone; empty when there are no such words.
    """

    def __init__(self, text: str, plain: str = "") -> None:
        super().__init__(text)
        self.plain = plain


class DatabaseFull(DatabaseUnavailable):
    """There is no room for more; a write that fits into what is there may succeed, and proves nothing."""


class OutcomesNotStored(DatabaseUnavailable):
    """Changes were sent to the gateway, and the database refused their results, which are stored when it answers."""

    def __init__(self, refusal: StoreError, *, sent: int = 0, planned: int = 0) -> None:
        text = "The changes were sent, and their results are recorded when the database answers again."
        if sent < planned:
            text = (
                f"{sent} of {planned} changes were sent, and their results are recorded when the database answers"
                " again; the others were not sent."
            )
        super().__init__(f"{text} {refusal}", refusal.plain if isinstance(refusal, DatabaseUnavailable) else "")
        self.refusal = refusal


class DatabaseUnsuited(DatabaseTrouble):
    """The database is whole, but its address, release or encoding does not fit."""


class DriverMissing(DatabaseUnsuited):
    """The library that speaks with the database server is not installed."""


class LeaseExpired(StoreError):
    """Another process owns the gateway now, and this one may not change what belongs to the owner."""


class SealBroken(StoreError):
    """A sealed secret does not open at its place with the key of this process."""


class ArchiveRefused(StoreError):
    """A backup was not written or not restored; nothing was changed."""
