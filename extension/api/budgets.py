"""`poolkeeper/config/budgets`: budgets of spend."""

from extension.api.auth.authenticator import Asking
from extension.api.payloads.budgets import BudgetChoice, BudgetRequest, BudgetsAnswer, BudgetView
from extension.api.routes import Routes
from extension.api.services import Served, Services

route = Routes("config")


@route("GET", "config/budgets")
async def read_budgets(services: Served) -> BudgetsAnswer:
    """Answer the budgets with what is spent of them."""
    return await _answer(services)


@route("POST", "config/budgets")
async def set_budget(body: BudgetRequest, services: Served, asking: Asking) -> BudgetsAnswer:
    """Set a budget in place of the one of the same requests and period; it is reported at 80 and at 100 percent.

    An unknown account is 404 `account_unknown`, a client key that neither usage nor the gateway knows 404
    `client_key_unknown`.
    """
    await services.inspector.budgets.put(body.terms(), asking.actor)
    return await _answer(services)


@route("POST", "config/budgets/remove")
async def remove(body: BudgetChoice, services: Served) -> BudgetsAnswer:
    """Remove a budget; an unknown one is 404 `budget_unknown`."""
    await services.inspector.budgets.remove(body.budget)
    return await _answer(services)


async def _answer(services: Services) -> BudgetsAnswer:
    return BudgetsAnswer(budgets=tuple(map(BudgetView.of, await services.inspector.budgets.all())))
