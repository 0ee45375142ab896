"""The parts of the audit of imports: code that is recognized, commands of processes, importers that were found."""
