"""Commands for stored management keys."""
