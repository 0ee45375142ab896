"""Admins made on the machine of the fleet: the first one, or one more when every token is lost."""

import re
from typing import Final

from adapter.clock import Clock
from adapter.privacy.secret import Redactor, Secret
from extension.engine.operators.audit import AuditEntry, AuditLog
from extension.engine.operators.errors import OperatorNameInvalid
from extension.engine.operators.operators import Operators
from extension.engine.operators.permission import NAME_PATTERN, Operator, Role
from extension.store.database.database import Database
from extension.store.operators.audit import AuditOutcome

_MACHINE: Final = "machine"
_COMMAND: Final = "poolkeeper operator init"


async def admin_on_machine(database: Database, clock: Clock, redactor: Redactor, name: str, days: int) -> Secret:
    """Add an admin and return the first token, with a record in the audit.

    Raises:
        OperatorNameInvalid: the name has other characters than letters, digits and . _ @ + -
        OperatorExists: there is an operator of that name.
        StoreError: the database refuses.
    """
    if re.fullmatch(NAME_PATTERN, name) is None:
        raise OperatorNameInvalid
    operators, audit = Operators(database, clock), AuditLog(database, clock, redactor)
    record = await audit.begin(AuditEntry(_MACHINE, _MACHINE, "", "", "", _COMMAND, f"admin {name}"))
    outcome = AuditOutcome.FAILED
    try:
        await operators.add(Operator(name, Role.ADMIN), _MACHINE)
        issued = await operators.issue(name, days, "", _MACHINE)
        outcome = AuditOutcome.DONE
    finally:
        await audit.end(record, outcome, None, "")
    return issued.token
