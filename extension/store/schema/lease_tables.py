"""Tables of processes that share a database; see `extension.store.schema.tables`."""

from sqlalchemy import BigInteger, Column, String, Table, Text

from extension.store.schema.tables import METADATA

LEASES = Table(
    "leases",
    METADATA,
    Column("name", String(32), primary_key=True),
    Column("owner", String(64), nullable=False),
    Column("address", Text, nullable=False),
    Column("epoch", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
)

INSTALLATIONS = Table(
    "installations",
    METADATA,
    Column("mark", String(64), primary_key=True),  # keyed hash; the key itself is stored nowhere
    Column("made_at", BigInteger, nullable=False),
)
