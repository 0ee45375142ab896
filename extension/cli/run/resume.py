"""`poolkeeper run resume`: resume a run."""

from extension.cli.run.control.steering import steering_command

resume = steering_command(
    "resume",
    """Resume a paused, interrupted or failed run.

    Without RUN it resumes the newest run. Accounts with a result are not checked again. With --gateway the command
    follows the run to its end, with the exit status of `poolkeeper inspect`.
    """,
)
