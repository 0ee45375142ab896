"""The generated entry: an entry point of the mirrored tree with something of ours composed in."""
