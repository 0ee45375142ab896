"""Table of sealed documents: contents that hold credentials, and open with the key of the installation alone."""

from sqlalchemy import BigInteger, Column, Index, Integer, LargeBinary, String, Table, Text

from extension.store.schema.dialects import SEQUENCE
from extension.store.schema.tables import METADATA, pool_column

SEALED = Table(
    "sealed_documents",
    METADATA,
    Column("id", SEQUENCE, primary_key=True),
    pool_column(),
    Column("kind", String(32), nullable=False),
    Column("subject", Integer, nullable=False),  # number of the account or batch that it belongs to, or 0
    Column("name", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("content", LargeBinary, nullable=False),
    Index("ix_sealed_documents_pool_id_kind", "pool_id", "kind", "subject"),
    sqlite_autoincrement=True,
)
