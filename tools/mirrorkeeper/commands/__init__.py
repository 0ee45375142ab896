"""The command line: one module a command, each parsing, calling one function, printing."""
