"""The command line: one file per command. Commands parse, call, print and exit; the work is elsewhere."""
