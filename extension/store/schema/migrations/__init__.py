"""Alembic's environment and revisions; shipped with the package and run by `extension.store.schema.upgrade`."""
