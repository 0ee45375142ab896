"""`poolkeeper automation pause`: pause all automatic actions until they are resumed."""

from extension.cli.automation.state import pausing_command

pause = pausing_command("pause", "Pause all automatic actions until they are resumed.", paused=True)
