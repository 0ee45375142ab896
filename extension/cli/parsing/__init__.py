"""Option types, option groups, help and lazy loading of commands."""
