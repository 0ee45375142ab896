"""Accounts as single entries of the gateway: identity by section, provider name and discriminator.

A stored account may stand for several entries with the same key, and only the gateway knows them. So its row is marked
`unsplit`, and the next reading of the pool splits it (see `extension.store.pool.recognition`).
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_UNSPLIT = "unsplit"
_FORMER = ["pool_id", "source", "fingerprint"]
_IDENTITY = ["pool_id", "source", "section", "compat_name", "fingerprint", "discriminator"]


def upgrade() -> None:
    """Add the columns of the new identity, and mark API-key accounts as not split yet."""
    with op.batch_alter_table("accounts") as table:
        table.add_column(sa.Column("section", sa.String(32), nullable=False, server_default=sa.text("''")))
        table.add_column(sa.Column("discriminator", sa.String(64), nullable=False, server_default=sa.text("''")))
        table.add_column(sa.Column("identical", sa.Integer(), nullable=False, server_default=sa.text("1")))
        table.add_column(sa.Column("owned_after", sa.Integer(), nullable=False, server_default=sa.text("0")))
        table.drop_constraint("uq_accounts_pool_id_source_fingerprint", type_="unique")
        table.create_unique_constraint("uq_accounts_identity", _IDENTITY)
    accounts = sa.table("accounts", sa.column("source", sa.String()), sa.column("discriminator", sa.String()))
    op.execute(accounts.update().where(accounts.c.source == "api_key").values(discriminator=_UNSPLIT))
    op.add_column("results", sa.Column("probed_with", sa.Integer(), nullable=True))


def downgrade() -> None:
    """Remove the columns. Where accounts share a key it fails, because they cannot be told apart without them."""
    op.drop_column("results", "probed_with")
    with op.batch_alter_table("accounts") as table:
        table.drop_constraint("uq_accounts_identity", type_="unique")
        for column in ("section", "discriminator", "identical", "owned_after"):
            table.drop_column(column)
        table.create_unique_constraint("uq_accounts_pool_id_source_fingerprint", _FORMER)
