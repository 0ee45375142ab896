"""Commands and settings that lead to the guarded package: their files, their lines, the patterns of a command."""
