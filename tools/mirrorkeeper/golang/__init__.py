"""Go source and module files, read without building them."""
