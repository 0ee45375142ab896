"""The installation key of a connection, which comes after the connection itself."""

from adapter.rules.identity import Fingerprints


class Binding:
    """Holds the fingerprints of one installation, once its key is known."""

    def __init__(self) -> None:
        self._fingerprints: Fingerprints | None = None

    def bind(self, installation_key: bytes) -> None:
        """Take the installation key; ValueError for a short one, or for another one than before."""
        if self._fingerprints is None:
            self._fingerprints = Fingerprints(installation_key)
        elif not self._fingerprints.matches(installation_key):
            raise ValueError("This connection is bound to another installation key: open a new connection.")

    def fingerprints(self) -> Fingerprints:
        """The fingerprints; RuntimeError before `bind`, which is a mistake in the start-up order."""
        if self._fingerprints is None:
            raise RuntimeError("Connection.bind must be called with the installation key before the pool is read.")
        return self._fingerprints
