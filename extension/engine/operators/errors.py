"""Errors of operators and tokens."""

# ruff: noqa: N818 - each name states the problem; an "Error" suffix would add nothing

from extension.engine.errors import EngineError


class OperatorUnknown(EngineError):
    """There is no operator of that name."""

    code = "operator_unknown"

    def __init__(self) -> None:
        super().__init__("There is no such operator.", "Take a name from the list of operators.")


class OperatorNameInvalid(EngineError):
    """The name of a new operator has characters that names have not."""

    code = "operator_name_invalid"

    def __init__(self) -> None:
        super().__init__("The name cannot be used.", "Take letters, digits and the characters . _ @ + - alone.")


class OperatorExists(EngineError):
    """The name of a new operator is taken."""

    code = "operator_exists"

    def __init__(self) -> None:
        super().__init__("There is an operator of that name.", "Choose another name, or edit that operator.")


class AdminLimited(EngineError):
    """An admin cannot be limited by labels."""

    code = "admin_limited"

    def __init__(self) -> None:
        super().__init__("An admin has every gateway.", "Leave the labels out, or choose another role.")


class LastAdmin(EngineError):
    """The change would leave no admin."""

    code = "last_admin"

    def __init__(self) -> None:
        super().__init__("This is the only admin.", "Add another admin first.")


class TokenUnknown(EngineError):
    """There is no token with that number."""

    code = "token_unknown"

    def __init__(self) -> None:
        super().__init__("There is no such token.", "Take a number from the list of tokens.")
