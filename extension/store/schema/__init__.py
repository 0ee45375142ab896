"""Schema of the database and its migrations."""
