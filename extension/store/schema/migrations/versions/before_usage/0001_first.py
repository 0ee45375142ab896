"""The first schema: pools, accounts, runs, results, actions, events and warnings."""

import sqlalchemy as sa
from alembic import op

from extension.store.schema.dialects import SEQUENCE

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create every table; those that others refer to come first."""
    _pools()
    _accounts()
    _runs()
    _run_accounts()
    _results()
    _actions()
    _events()
    _warnings()


def downgrade() -> None:
    """Drop every table, in the reverse order."""
    for table in ("warnings", "events", "actions", "results", "run_accounts", "runs", "accounts", "pools"):
        op.drop_table(table)


def _pools() -> None:
    op.create_table(
        "pools",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pools")),
        sa.UniqueConstraint("name", name=op.f("uq_pools_name")),
    )


def _accounts() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("pool_id", sa.Integer(), nullable=False),
        sa.Column("source", sa.String(length=32), nullable=False),
        sa.Column("fingerprint", sa.String(length=1024), nullable=False),
        sa.Column("auth_index", sa.Text(), nullable=False),
        sa.Column("gateway_id", sa.Text(), nullable=False),
        sa.Column("family", sa.String(length=32), nullable=False),
        sa.Column("display_name", sa.Text(), nullable=False),
        sa.Column("provider", sa.Text(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("compat_name", sa.Text(), nullable=False),
        sa.Column("base_url", sa.Text(), nullable=False),
        sa.Column("file_name", sa.Text(), nullable=False),
        sa.Column("first_seen_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["pool_id"], ["pools.id"], name=op.f("fk_accounts_pool_id_pools")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_accounts")),
        sa.UniqueConstraint("pool_id", "source", "fingerprint", name=op.f("uq_accounts_pool_id_source_fingerprint")),
    )


def _runs() -> None:
    op.create_table(
        "runs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("pool_id", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=32), nullable=False),
        sa.Column("account_source", sa.String(length=32), nullable=False),
        sa.Column("target_type", sa.String(length=32), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("verdicts", sa.JSON(), nullable=False),
        sa.Column("recommendations", sa.JSON(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=False),
        sa.Column("finished_at", sa.BigInteger(), nullable=True),
        sa.Column("started_by", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("gateway_call_us", sa.BigInteger(), nullable=True),
        sa.Column("owner", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(["pool_id"], ["pools.id"], name=op.f("fk_runs_pool_id_pools")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_runs")),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "uq_runs_active",
        "runs",
        ["pool_id"],
        unique=True,
        sqlite_where=sa.text("state IN ('queued', 'running', 'paused', 'finishing', 'stopping')"),
        postgresql_where=sa.text("state IN ('queued', 'running', 'paused', 'finishing', 'stopping')"),
    )


def _run_accounts() -> None:
    op.create_table(
        "run_accounts",
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_run_accounts_account_id_accounts")),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name=op.f("fk_run_accounts_run_id_runs")),
        sa.PrimaryKeyConstraint("run_id", "position", name=op.f("pk_run_accounts")),
        sa.UniqueConstraint("run_id", "account_id", name=op.f("uq_run_accounts_run_id_account_id")),
    )


def _results() -> None:
    op.create_table(
        "results",
        sa.Column("seq", SEQUENCE, nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("account_source", sa.String(length=32), nullable=False),
        sa.Column("family", sa.String(length=32), nullable=False),
        sa.Column("display_name", sa.Text(), nullable=False),
        sa.Column("provider", sa.Text(), nullable=False),
        sa.Column("base_url", sa.Text(), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=True),
        sa.Column("verdict", sa.String(length=32), nullable=False),
        sa.Column("action", sa.String(length=32), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("latency_ms", sa.Integer(), nullable=True),
        sa.Column("attempts", sa.JSON(), nullable=False),
        sa.Column("preview", sa.Text(), nullable=False),
        sa.Column("headers", sa.JSON(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_results_account_id_accounts")),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name=op.f("fk_results_run_id_runs")),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_results")),
        sa.UniqueConstraint("run_id", "account_id", name=op.f("uq_results_run_id_account_id")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_results_account_id_seq", "results", ["account_id", "seq"], unique=False)
    op.create_index("ix_results_run_id_seq", "results", ["run_id", "seq"], unique=False)


def _actions() -> None:
    op.create_table(
        "actions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("pool_id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=True),
        sa.Column("display_name", sa.Text(), nullable=False),
        sa.Column("action", sa.String(length=32), nullable=False),
        sa.Column("outcome", sa.String(length=32), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("actor_kind", sa.String(length=32), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("evidence", sa.JSON(), nullable=False),
        sa.Column("before", sa.JSON(), nullable=False),
        sa.Column("after", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("settled_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_actions_account_id_accounts")),
        sa.ForeignKeyConstraint(["pool_id"], ["pools.id"], name=op.f("fk_actions_pool_id_pools")),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name=op.f("fk_actions_run_id_runs")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_actions")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_actions_account_id_id", "actions", ["account_id", "id"], unique=False)
    op.create_index("ix_actions_pool_id_outcome", "actions", ["pool_id", "outcome"], unique=False)


def _events() -> None:
    op.create_table(
        "events",
        sa.Column("seq", SEQUENCE, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=True),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name=op.f("fk_events_run_id_runs")),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_events")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_events_run_id_seq", "events", ["run_id", "seq"], unique=False)


def _warnings() -> None:
    op.create_table(
        "warnings",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("pool_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("subject", sa.String(length=512), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("first_at", sa.BigInteger(), nullable=False),
        sa.Column("last_at", sa.BigInteger(), nullable=False),
        sa.Column("times", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["pool_id"], ["pools.id"], name=op.f("fk_warnings_pool_id_pools")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_warnings")),
        sa.UniqueConstraint("pool_id", "kind", "subject", name=op.f("uq_warnings_pool_id_kind_subject")),
    )
