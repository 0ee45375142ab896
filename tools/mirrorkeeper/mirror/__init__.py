"""The byte-exact mirror of an upstream tree: declared, pinned, synchronized, verified."""
