"""`poolkeeper automation status`: show whether automatic actions are paused."""

from extension.cli.automation.state import pausing_command

status = pausing_command("status", "Show whether automatic actions are paused.", paused=None)
