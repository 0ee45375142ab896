"""`poolkeeper schedule pause`: pause a recurring inspection."""

from extension.cli.schedule.pausing import pausing_command

pause = pausing_command("pause", "Pause a recurring inspection and list all schedules.", enabled=False)
