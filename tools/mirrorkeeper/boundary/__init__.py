"""The import boundary: who may import the mirrored package, and which of its names are in use."""
