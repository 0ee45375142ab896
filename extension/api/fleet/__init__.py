"""Resources that only a fleet has."""
