"""The upstream kept as bundles: a working repository from them, and releases into them."""
