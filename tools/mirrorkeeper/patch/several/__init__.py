"""Several patches that need a person for the same release: edited in any order, shown together."""
