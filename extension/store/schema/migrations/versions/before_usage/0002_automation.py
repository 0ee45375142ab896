"""Automation: flags of accounts, revisions seen by probes, causes of actions, and actions on hold."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns with defaults that are true of the rows that exist, and the table of held actions."""
    for flag in ("never_probe", "handed_over"):
        op.add_column("accounts", sa.Column(flag, sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("results", sa.Column("revisions", sa.JSON(), nullable=False, server_default=sa.text("'[]'")))
    cause = sa.Column("cause", sa.String(length=32), nullable=False, server_default=sa.text("'request'"))
    op.add_column("actions", cause)
    op.add_column("actions", sa.Column("undoes", sa.Integer(), nullable=True))
    op.create_index("ix_actions_run_id", "actions", ["run_id"], unique=False)
    op.create_index("ix_actions_undoes", "actions", ["undoes"], unique=False)
    _held()


def downgrade() -> None:
    """Take it all back."""
    op.drop_table("held")
    op.drop_index("ix_actions_undoes", "actions")
    op.drop_index("ix_actions_run_id", "actions")
    for table, column in (
        ("actions", "undoes"),
        ("actions", "cause"),
        ("results", "revisions"),
        ("accounts", "handed_over"),
        ("accounts", "never_probe"),
    ):
        op.drop_column(table, column)


def _held() -> None:
    op.create_table(
        "held",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("action", sa.String(length=32), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("released_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_held_account_id_accounts")),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name=op.f("fk_held_run_id_runs")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_held")),
        sa.UniqueConstraint("run_id", "account_id", name=op.f("uq_held_run_id_account_id")),
    )
