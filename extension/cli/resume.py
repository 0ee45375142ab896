"""`poolkeeper resume`: goes on with a run that is paused, was interrupted or has failed."""

from extension.cli.run_commands import steering

resume = steering("resume", "Go on with a run that is paused, was interrupted or has failed; nobody is probed twice.")
