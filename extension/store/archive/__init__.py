"""Archives of an installation: one file that holds the database and the keys that make it readable."""
