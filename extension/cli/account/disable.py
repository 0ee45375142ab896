"""`poolkeeper account disable`: disable accounts."""

from extension.cli.account.switching import switching_command

disable = switching_command(
    "disable",
    """Disable accounts by number.

    Exit status: 0 all done, 1 some changes failed, 2 the service could not do it.
    """,
    disabled=True,
)
