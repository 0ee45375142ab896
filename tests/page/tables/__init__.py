"""Generator of the tables that the page takes from the service."""
