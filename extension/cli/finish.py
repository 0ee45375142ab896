"""`poolkeeper finish`: finishes the run that is going on early."""

from extension.cli.run_commands import steering

finish = steering("finish", "Let a run probe no more, and do what its results so far call for.")
