"""Tables of prices and of aliases of client keys; see `extension.store.schema.tables`."""

from sqlalchemy import JSON, BigInteger, Column, Date, Integer, String, Table, Text, UniqueConstraint

from extension.store.schema.tables import METADATA

MODEL_PRICES = Table(
    "model_prices",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("provider", String(100), nullable=False),  # empty: every provider
    Column("model", String(200), nullable=False),
    Column("service_tier", String(32), nullable=False),
    Column("valid_from", Date, nullable=True),
    Column("rates", JSON, nullable=False),
    Column("source", String(32), nullable=False),
    Column("note", Text, nullable=False),
    Column("set_by", Text, nullable=False),
    Column("set_at", BigInteger, nullable=False),
    sqlite_autoincrement=True,
)

API_KEY_ALIASES = Table(
    "api_key_aliases",
    METADATA,
    Column("fingerprint", String(64), primary_key=True),  # keyed hash; the key itself is stored nowhere
    Column("alias", String(100), nullable=False),
    Column("set_by", Text, nullable=False),
    Column("set_at", BigInteger, nullable=False),
    UniqueConstraint("alias"),
)
