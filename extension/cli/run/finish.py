"""`poolkeeper run finish`: finish a run early."""

from extension.cli.run.control.steering import steering_command

finish = steering_command(
    "finish",
    """Finish a run early.

    Without RUN it finishes the newest run. No further checks start. The automatic actions of the run are applied to
    the results so far.
    """,
)
