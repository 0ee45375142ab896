"""Storage: the place of a database, with everything in which its program differs from others.

The engines of a storage connect when they are used, not before. Writing transactions exclude each other, so that
numbers are given in the order of commits; a reading one sees one state of the database.
"""

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from extension.store.database.postgresql import PostgreSQLStorage
    from extension.store.database.sqlite import SQLiteStorage

Storage: TypeAlias = "SQLiteStorage | PostgreSQLStorage"
