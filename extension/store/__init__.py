"""The SQL store: the only package that knows the database library.

Modules of nouns (`accounts`, `runs`, `results`, `actions`, `events`, `warnings`) hold functions that take a
transaction of `extension.store.database.database.Database`; `extension.store.records` holds their results.
"""
