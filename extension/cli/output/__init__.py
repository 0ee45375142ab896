"""Terminal output: text, columns and JSON."""
