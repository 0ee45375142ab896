"""`poolkeeper automation resume`: resume automatic actions."""

from extension.cli.automation.state import pausing_command

resume = pausing_command("resume", "Resume automatic actions.", paused=False)
