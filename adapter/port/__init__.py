"""The port: how the extension sees any gateway.

Five roles, so that a caller depends on the one it needs, and records that are frozen and typed. Every promise in a
docstring here is a sentence in `tests/contract`, which every implementation passes. `Conflict` is the outcome of a
change; the exception is `errors.ConflictError`.
"""

from adapter.port import errors
from adapter.port.accounts import Account, Accounts, Activity, Pool, Skipped, SourceKind, Switch
from adapter.port.admission import Admission, AdmissionAttempt, Admitted, Denied
from adapter.port.calls import BODY_LIMIT, TOKEN_PLACEHOLDER, Answer, Calls, NoAnswer, NoAnswerKind, OutboundCall
from adapter.port.capabilities import QUALITIES, Capability
from adapter.port.changes import Applied, Before, Change, Conflict, Missing, Outcome, Refused, Uncertain, Unchanged
from adapter.port.configuration import Configuration, Document, Entry, Losses, ManagementAccess
from adapter.port.connection import About, ASGIApp, Connection, Gateway, Message
from adapter.port.errors import GatewayError
from adapter.port.section import AccountRef, FileRef, KeyRef, Revision, Section
from adapter.port.sign_in import AccountSignIn, SignInBegun, SignInProgress, SignInState
from adapter.port.usage import Usage, UsageBatch, UsageRecord, UsageState, UsageSubscription

__all__ = [
    "BODY_LIMIT",
    "QUALITIES",
    "TOKEN_PLACEHOLDER",
    "ASGIApp",
    "About",
    "Account",
    "AccountRef",
    "AccountSignIn",
    "Accounts",
    "Activity",
    "Admission",
    "AdmissionAttempt",
    "Admitted",
    "Answer",
    "Applied",
    "Before",
    "Calls",
    "Capability",
    "Change",
    "Configuration",
    "Conflict",
    "Connection",
    "Denied",
    "Document",
    "Entry",
    "FileRef",
    "Gateway",
    "GatewayError",
    "KeyRef",
    "Losses",
    "ManagementAccess",
    "Message",
    "Missing",
    "NoAnswer",
    "NoAnswerKind",
    "OutboundCall",
    "Outcome",
    "Pool",
    "Refused",
    "Revision",
    "Section",
    "SignInBegun",
    "SignInProgress",
    "SignInState",
    "Skipped",
    "SourceKind",
    "Switch",
    "Uncertain",
    "Unchanged",
    "Usage",
    "UsageBatch",
    "UsageRecord",
    "UsageState",
    "UsageSubscription",
    "errors",
]
