"""Files, locks, processes and signals of the operating system."""
