"""The pool: listing, accounts and the view of an operator."""
