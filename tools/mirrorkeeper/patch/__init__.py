"""Patches: declared differences between the upstream's tree and ours, each with its reason."""
