"""Client keys of the gateway: created, revoked and brought back by a person's act, each with a record."""
