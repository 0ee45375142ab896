"""Prices set by people, and aliases of client keys, by keyed hash."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "model_prices",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("provider", sa.String(100), nullable=False),
        sa.Column("model", sa.String(200), nullable=False),
        sa.Column("service_tier", sa.String(32), nullable=False),
        sa.Column("valid_from", sa.Date(), nullable=True),
        sa.Column("rates", sa.JSON(), nullable=False),
        sa.Column("source", sa.String(32), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("set_by", sa.Text(), nullable=False),
        sa.Column("set_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_model_prices")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "api_key_aliases",
        sa.Column("fingerprint", sa.String(64), nullable=False),
        sa.Column("alias", sa.String(100), nullable=False),
        sa.Column("set_by", sa.Text(), nullable=False),
        sa.Column("set_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("fingerprint", name=op.f("pk_api_key_aliases")),
        sa.UniqueConstraint("alias", name=op.f("uq_api_key_aliases_alias")),
    )


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("api_key_aliases")
    op.drop_table("model_prices")
