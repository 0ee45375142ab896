"""`poolkeeper account enable`: enable accounts."""

from extension.cli.account.switching import switching_command

enable = switching_command(
    "enable",
    """Enable accounts by number.

    Exit status: 0 all done, 1 some changes failed, 2 the service could not do it.
    """,
    disabled=False,
)
