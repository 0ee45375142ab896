"""Parts of the configuration that a batch drops: kept before its first write, and brought back after its undo."""

import asyncio
from collections.abc import Iterable, Sequence

from adapter.port import Gateway, GatewayError, Losses
from extension.engine.actions.change_plan import rewrites_entries
from extension.engine.actions.requests import ResolvedRequest
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import NO_REASON, ReasonList, because
from extension.store.deleted_files import DeletedFiles


class LossKeeper:
    """Looks up the losses of writes, and keeps the configuration before them by the number of the batch."""

    def __init__(self, gateway: Gateway, configurations: DeletedFiles | None) -> None:
        self._gateway = gateway
        self._copies = configurations
        self._losses = Losses()

    async def look_up(self, requests: Iterable[ResolvedRequest]) -> Sequence[str]:
        """Return the parts that writes of these requests drop. Raises `GatewayError`."""
        needed = any(rewrites_entries(request) for request in requests)
        self._losses = await self._gateway.losses() if needed else Losses()
        return self._losses.parts

    async def keep(self, batch_id: int, losses: Losses | None = None) -> None:
        """Keep the configuration of losses, as looked up last unless given. Raises `StoreError`: it cannot be kept."""
        losses = losses or self._losses
        if self._copies is None:
            return
        await self._copies.keep(batch_id, losses.mark, losses.text)

    async def bring_back(self, batch_ids: Iterable[int]) -> ReasonList:
        """Bring back what batches dropped, newest first; return what became of it, nothing where nothing was lost."""
        reasons = NO_REASON
        for batch_id in sorted(batch_ids, reverse=True):
            copy = None if self._copies is None else await self._copies.newest(batch_id)
            text = None if self._copies is None or copy is None else await self._copies.content(copy)
            if self._copies is None or copy is None or text is None:
                continue
            try:
                is_back = await self._gateway.bring_back(Losses(("",), text, copy.name))
            except GatewayError:
                is_back = False
            if is_back:
                await self._copies.forget(copy)
                reasons += because(ReasonCode.LOSS_BACK)
            else:
                try:
                    place = str(await asyncio.to_thread(self._copies.export, copy, text))
                except OSError:  # it is still sealed in the store
                    place = f"sealed_documents/{copy.document.id}"
                reasons += because(ReasonCode.LOSS_NOT_BACK, file=place)
        return reasons
