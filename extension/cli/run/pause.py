"""`poolkeeper run pause`: pause a run."""

from extension.cli.run.control.steering import steering_command

pause = steering_command(
    "pause",
    """Pause a run.

    Without RUN it pauses the newest run. No further checks and actions start until `poolkeeper run resume`.
    """,
)
