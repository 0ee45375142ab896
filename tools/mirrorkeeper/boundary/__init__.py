"""The import boundary: the importers of the mirrored package, and the names of it in use."""
