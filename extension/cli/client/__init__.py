"""Client of the service, and lookup of service and management key."""
