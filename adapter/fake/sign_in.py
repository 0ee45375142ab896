"""Sign-ins in memory, which end when a test says so."""

from collections.abc import Mapping
from typing import Any, Final

from adapter.fake.state import FakeState
from adapter.port import Capability, errors
from adapter.port.sign_in import SignInBegun, SignInProgress, SignInState
from adapter.privacy.secret import Secret

_PROVIDERS: Final = frozenset({"claude", "codex", "kimi"})


class FakeSignIns:
    """Sign-ins of a fake gateway by state. `next_file` is what the next call-back stores."""

    def __init__(self, files: FakeState) -> None:
        self._files = files
        self.states: dict[str, SignInState] = {}
        self.next_file: tuple[str, Mapping[str, Any]] | None = None

    def begin(self, provider: str) -> SignInBegun:
        if provider not in _PROVIDERS:
            raise errors.Unsupported(Capability.SIGN_IN)
        state = f"state-{len(self.states)}-of-{provider}"
        self.states[state] = SignInState(SignInProgress.WAITING)
        return SignInBegun(Secret(f"https://vendor.example/authorize?state={state}"), Secret(state))

    def state(self, state: Secret) -> SignInState:
        unknown = SignInState(SignInProgress.FAILED, "unknown or expired state")
        return self.states.get(state.reveal(), unknown)

    def finish(self, state: Secret) -> None:
        """End a sign-in as a vendor does that accepts the person."""
        if state.reveal() not in self.states:
            raise errors.NotFound("There is no such sign-in.")
        self.states[state.reveal()] = SignInState(SignInProgress.DONE)
        if self.next_file is not None:
            name, content = self.next_file
            self._files.files[name] = dict(content)

    def cancel(self, state: Secret) -> None:
        self.states.pop(state.reveal(), None)
