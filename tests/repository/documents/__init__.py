"""Generator of the tables in the documents."""
