"""Command line: a file per noun. Commands parse, call the service, print and exit."""
