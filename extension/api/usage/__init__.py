"""Resources of usage."""
