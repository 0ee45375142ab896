"""References of Go code, module files and commands to the guarded module."""
