"""Sign-in: the role that renews the session of an OAuth account at the addresses of the gateway."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from adapter.privacy.secret import Secret


@dataclass(frozen=True, slots=True)
class SignInBegun:
    """Sign-in that waits for a person at `url`; `state` names it to the gateway, and both are secret."""

    url: Secret
    state: Secret
    user_code: str = ""
    """Code that the person compares or types at the vendor; empty without one."""
    takes_callback: bool = True
    """True where the vendor ends at an address that can be handed over with `send_callback`."""


class SignInProgress(StrEnum):
    """Progress of a sign-in, as the gateway says it."""

    WAITING = "waiting"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class SignInState:
    """Progress of a sign-in; `text` is the reason of a failure in the gateway's words, free of secrets."""

    progress: SignInProgress
    text: str = ""


class AccountSignIn(Protocol):
    """The role that signs accounts in. The gateway stores the session in a file that it names itself."""

    async def begin_sign_in(self, provider: str) -> SignInBegun:
        """Begin a sign-in at the vendor of a provider.

        Raises:
            Unsupported: the gateway has no address for it.
            GatewayError: it could not be begun.
        """

    async def sign_in_state(self, state: Secret) -> SignInState:
        """Return the progress of a sign-in; one that the gateway does not know has failed.

        Raises:
            GatewayError: it could not be read.
        """

    async def send_callback(self, state: Secret, address: Secret) -> None:
        """Hand over the address at which the vendor ended, where it does not reach the gateway by itself.

        Raises:
            NotFound: the gateway does not wait for it.
            GatewayError: the gateway does not take it.
        """

    async def cancel_sign_in(self, state: Secret) -> None:
        """End a sign-in that waits, so that the gateway stores nothing any more.

        Raises:
            GatewayError: it may still go on.
        """
