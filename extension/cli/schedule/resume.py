"""`poolkeeper schedule resume`: resume a recurring inspection."""

from extension.cli.schedule.pausing import pausing_command

resume = pausing_command(
    "resume",
    """Resume a recurring inspection and list all schedules.

    The next run starts one interval from now, or at the next time of the cron expression.
    """,
    enabled=True,
)
