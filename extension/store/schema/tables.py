"""Schema as SQLAlchemy tables: new databases are made from them, and queries are written against them.

Times are integer milliseconds UTC, enumerated values are tokens; text is redacted before it is stored. Tables of usage
are in `extension.store.schema.usage_tables`. Constraints and indexes have names of one convention, so that a migration
can name each of them.
"""

from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Date,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
)

from extension.store.schema.dialects import SEQUENCE

METADATA = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)
# At most one of these a pool, as the partial unique index below enforces.
ACTIVE_STATES = ("queued", "running", "paused", "finishing", "stopping")
_IDENTITY = ("pool_id", "source", "section", "compat_name", "fingerprint", "discriminator")
_ACTIVE = text("state IN ('queued', 'running', 'paused', 'finishing', 'stopping')")


def _time(name: str, *, nullable: bool = False) -> Column[int]:
    return Column(name, BigInteger, nullable=nullable)


def _text(name: str) -> Column[str]:
    return Column(name, Text, nullable=False)


def _token(name: str) -> Column[str]:
    """Return a column of an enumerated value."""
    return Column(name, String(32), nullable=False)


def _integer(name: str) -> Column[int]:
    return Column(name, Integer, nullable=False)


def _json(name: str) -> Column[Any]:
    return Column(name, JSON, nullable=False)


def _flag(name: str) -> Column[bool]:
    return Column(name, Boolean, nullable=False, server_default=false())


def _reasons(name: str) -> Column[Any]:
    """Return a column of reasons as codes with parameters, empty by default."""
    return Column(name, JSON, nullable=False, server_default=text("'[]'"))


def _hints() -> list[Column[str]]:
    """Return the columns of a key hint and a place, empty by default."""
    return [Column(name, Text, nullable=False, server_default=text("''")) for name in ("key_hint", "place")]


def pool_column() -> Column[int]:
    """Return the column of the pool that a row belongs to."""
    return Column("pool_id", Integer, ForeignKey("pools.id"), nullable=False)


POOLS = Table(
    "pools",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("name", String(200), nullable=False, unique=True),
    _time("created_at"),
    Column("notified_seq", BigInteger, nullable=True),  # newest event that was reported
    _time("automation_paused_at", nullable=True),
    Column("automation_paused_by", Text, nullable=False, server_default=text("''")),
)

ACCOUNTS = Table(
    "accounts",
    METADATA,
    Column("id", Integer, primary_key=True),
    pool_column(),
    _token("source"),
    Column("fingerprint", String(1024), nullable=False),
    _text("auth_index"),
    _text("gateway_id"),
    _token("family"),
    *map(_text, ("display_name", "provider", "label", "compat_name", "base_url", "file_name")),
    _time("first_seen_at"),
    _flag("never_probe"),
    _flag("managed"),
    Column("section", String(32), nullable=False, server_default=text("''")),
    Column("discriminator", String(64), nullable=False, server_default=text("''")),
    Column("identical", Integer, nullable=False, server_default=text("1")),
    Column("owned_after", Integer, nullable=False, server_default=text("0")),
    _flag("protected"),
    *_hints(),
    # Keyed hashes that recognize a key or a vendor's account at another gateway; empty once it is not listed.
    *(Column(name, String(64), nullable=False, server_default=text("''")) for name in ("key_mark", "vendor_mark")),
    UniqueConstraint(*_IDENTITY, name="uq_accounts_identity"),
    *(
        Index(
            f"ix_accounts_{name}",
            name,
            "pool_id",
            sqlite_where=text(f"{name} <> ''"),
            postgresql_where=text(f"{name} <> ''"),
        )
        for name in ("key_mark", "vendor_mark")
    ),
)

RUNS = Table(
    "runs",
    METADATA,
    Column("id", Integer, primary_key=True),
    pool_column(),
    *map(_token, ("state", "account_source", "target_type")),
    _json("settings"),
    *map(_integer, ("total", "done")),
    *map(_json, ("verdicts", "recommendations")),
    _time("started_at"),
    _time("finished_at", nullable=True),
    *(_text("started_by"), _text("reason"), _reasons("reasons")),
    Column("gateway_call_us", BigInteger, nullable=True),
    Column("owner", String(64), nullable=False),  # process that works on the run
    Column("schedule_id", Integer, nullable=True),
    Column("stored_bytes", BigInteger, nullable=True),  # measured once by the retention
    Column("fleet_run_id", BigInteger, nullable=True),  # fleet run that it is a part of
    Index("ix_runs_fleet_run_id", "fleet_run_id"),
    Index("uq_runs_active", "pool_id", unique=True, sqlite_where=_ACTIVE, postgresql_where=_ACTIVE),
    sqlite_autoincrement=True,
)

SCHEDULES = Table(
    "schedules",
    METADATA,
    Column("id", Integer, primary_key=True),
    pool_column(),
    _text("name"),
    Column("enabled", Boolean, nullable=False),
    *map(_integer, ("interval_minutes", "jitter_minutes")),
    _json("settings"),
    *(_time("next_at"), _time("last_at", nullable=True)),
    Column("last_run", Integer, nullable=True),
    *(_text("problem"), _text("saved_by"), _time("saved_at")),
    *(Column(name, Text, nullable=False, server_default=text("''")) for name in ("cron", "time_zone")),
    _reasons("problems"),
)

RUN_ACCOUNTS = Table(
    "run_accounts",
    METADATA,
    Column("run_id", Integer, ForeignKey("runs.id"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("account_id", Integer, ForeignKey("accounts.id"), nullable=False),
    UniqueConstraint("run_id", "account_id"),
)

EVIDENCE = Table(
    "evidence",
    METADATA,
    Column("id", SEQUENCE, primary_key=True),
    Column("run_id", Integer, nullable=False),  # the run that made it: later ones with the same outcome share it
    _time("at"),
    *map(_text, ("display_name", "provider", "base_url", "reason", "preview")),
    *map(_json, ("attempts", "headers")),
    *(Column(name, JSON, nullable=False, server_default=text("'[]'")) for name in ("revisions", "windows")),
    *_hints(),
    Column("route", String(64), nullable=False, server_default=text("''")),
    _reasons("reasons"),
    Index("ix_evidence_run_id", "run_id"),
    sqlite_autoincrement=True,
)

RESULTS = Table(
    "results",
    METADATA,
    Column("seq", SEQUENCE, primary_key=True),
    Column("run_id", Integer, ForeignKey("runs.id"), nullable=False),
    Column("account_id", Integer, ForeignKey("accounts.id"), nullable=False),
    *map(_token, ("account_source", "family")),
    Column("enabled", Boolean, nullable=True),
    *(_token("verdict"), _token("action")),
    *(Column(name, Integer, nullable=True) for name in ("status", "latency_ms")),
    *(_time("at"), _time("resets_at", nullable=True)),
    Column("probed_with", Integer, nullable=True),
    Column("evidence_id", BigInteger, nullable=False),
    UniqueConstraint("run_id", "account_id"),
    Index("ix_results_run_id_seq", "run_id", "seq"),
    Index("ix_results_account_id_seq", "account_id", "seq"),
    sqlite_autoincrement=True,
)

ACTIONS = Table(
    "actions",
    METADATA,
    Column("id", Integer, primary_key=True),
    pool_column(),
    Column("account_id", Integer, ForeignKey("accounts.id"), nullable=False),
    Column("run_id", Integer, ForeignKey("runs.id"), nullable=True),
    *(_text("display_name"), _token("action"), _token("outcome"), _text("text")),
    *(_text("actor"), _token("actor_kind"), _text("reason")),
    *map(_json, ("evidence", "before")),
    Column("after", JSON(none_as_null=True), nullable=True),
    *(_time("at"), _time("settled_at", nullable=True)),
    Column("cause", String(32), nullable=False, server_default=text("'request'")),
    Column("undoes", Integer, nullable=True),
    *_hints(),
    Column("batch_id", Integer, nullable=True),
    *map(_reasons, ("reasons", "texts")),
    Index("ix_actions_account_id_id", "account_id", "id"),
    Index("ix_actions_batch_id", "batch_id"),
    Index("ix_actions_pool_id_outcome", "pool_id", "outcome"),
    Index("ix_actions_run_id", "run_id"),
    Index("ix_actions_undoes", "undoes"),
    sqlite_autoincrement=True,
)

BATCHES = Table(
    "batches",
    METADATA,
    Column("id", Integer, primary_key=True),
    pool_column(),
    Column("run_id", Integer, nullable=True),
    *(_token("cause"), _text("actor"), _token("actor_kind"), _token("state"), _text("reason"), _reasons("reasons")),
    *map(_integer, ("total", "done")),
    *map(_json, ("planned", "outcomes")),
    *(_time("at"), _time("ended_at", nullable=True)),
    Index("ix_batches_pool_id_state", "pool_id", "state"),
    Index("ix_batches_run_id", "run_id"),
    sqlite_autoincrement=True,
)

HELD = Table(
    "held",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("run_id", Integer, ForeignKey("runs.id"), nullable=False),
    Column("account_id", Integer, ForeignKey("accounts.id"), nullable=False),
    *(_token("action"), _text("reason"), _time("at"), _time("released_at", nullable=True)),
    Column("host", Text, nullable=False, server_default=text("''")),
    Column("code", String(32), nullable=False, server_default=text("''")),
    Column("params", JSON, nullable=False, server_default=text("'{}'")),
    UniqueConstraint("run_id", "account_id"),
)

EVENTS = Table(
    "events",
    METADATA,
    Column("seq", SEQUENCE, primary_key=True),
    _time("at"),
    _token("kind"),
    Column("pool_id", Integer, ForeignKey("pools.id"), nullable=True),  # none: of the installation
    Column("run_id", Integer, ForeignKey("runs.id"), nullable=True),
    _json("data"),
    Index("ix_events_pool_id_seq", "pool_id", "seq"),
    Index("ix_events_run_id_seq", "run_id", "seq"),
    sqlite_autoincrement=True,
)

DELIVERIES = Table(
    "deliveries",
    METADATA,
    Column("id", Integer, primary_key=True),
    pool_column(),
    _token("kind"),
    Column("run_id", Integer, nullable=True),
    _time("at"),
    Column("taken", Boolean, nullable=False),
    *(_integer("attempts"), _json("problems"), _integer("channel")),
    sqlite_autoincrement=True,
)

WARNINGS = Table(
    "warnings",
    METADATA,
    Column("id", Integer, primary_key=True),
    pool_column(),
    _token("kind"),
    Column("subject", String(512), nullable=False),
    *(_text("text"), _time("first_at"), _time("last_at")),
    _integer("times"),
    UniqueConstraint("pool_id", "kind", "subject"),
)

LEASES = Table(
    "leases",
    METADATA,
    Column("name", String(32), primary_key=True),
    Column("owner", String(64), nullable=False),
    *(_text("address"), Column("epoch", BigInteger, nullable=False), _time("expires_at")),
)

INSTALLATIONS = Table(
    "installations",
    METADATA,
    Column("mark", String(64), primary_key=True),  # keyed hash; the key itself is stored nowhere
    Column("made_at", BigInteger, nullable=False),
)

MODEL_PRICES = Table(
    "model_prices",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("provider", String(100), nullable=False),  # empty: every provider
    Column("model", String(200), nullable=False),
    _token("service_tier"),
    Column("valid_from", Date, nullable=True),
    *(_json("rates"), _token("source"), _text("note"), _text("set_by"), _time("set_at")),
    sqlite_autoincrement=True,
)

API_KEY_ALIASES = Table(
    "api_key_aliases",
    METADATA,
    Column("fingerprint", String(64), primary_key=True),  # keyed hash; the key itself is stored nowhere
    Column("alias", String(100), nullable=False),
    *(_text("set_by"), _time("set_at")),
    UniqueConstraint("alias"),
)
