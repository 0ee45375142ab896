"""Command line: a folder per noun, a file per verb. Commands parse, call the service, print and exit."""
