"""Language of the terminal: the choice, and texts, reasons and errors in it."""
