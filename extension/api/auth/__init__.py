"""Authentication: management key or session, decided before a request is read any further."""
