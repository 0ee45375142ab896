"""`poolkeeper pause`: lets the run that is going on wait."""

from extension.cli.run_commands import steering

pause = steering("pause", "Let a run start no more probes and no more actions until it is resumed.")
