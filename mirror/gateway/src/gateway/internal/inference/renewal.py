"""New tokens for whatever kind of credential needs one."""

from gateway.internal.inference.refreshing import Refresher
from gateway.internal.inference.service_accounts import ServiceAccounts, account_of
from gateway.internal.pool.credential import Credential
from gateway.internal.runtime import Runtime


class Tokens:
    """Gets tokens: for service accounts with a signed statement, for other files with their refresh token.

    Args:
        runtime: The live gateway.
    """

    def __init__(self, runtime: Runtime) -> None:
        self._accounts = ServiceAccounts(runtime)
        self._files = Refresher(runtime)

    async def usable(self, credential: Credential) -> Credential:
        """Return a credential that has not run out, as far as one can be had."""
        return await self._of(credential).usable(credential)

    async def renewed(self, credential: Credential) -> Credential | None:
        """Return a credential whose token was refused with a new one, None when there is none to be had."""
        return await self._of(credential).renewed(credential)

    def _of(self, credential: Credential) -> ServiceAccounts | Refresher:
        return self._accounts if account_of(credential) is not None else self._files
