"""The pool: listing, credentials and the view of an operator."""
