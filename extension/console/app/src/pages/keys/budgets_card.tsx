import { Plus } from "lucide";
import type { BudgetView } from "../../connection/api.js";
import { text, tokenText } from "../../language/catalogue.js";
import { formatTime } from "../../language/formats.js";
import { Button } from "../../parts/button.js";
import { Card } from "../../parts/card.js";
import { EmptyText } from "../../parts/empty_text.js";
import { Meter } from "../../parts/meter.js";
import { Badge } from "../../parts/status.js";
import { useServices } from "../../shell/services.js";
import { budgetSpend, budgetTitle } from "./model.js";

/** Budgets with their spend in this day or month. */
export function BudgetsCard({ budgets, onAdd }: { budgets: readonly BudgetView[]; onAdd: () => void }) {
  const { client, notices } = useServices();
  const remove = ({ id }: BudgetView) =>
    notices.attempt("budgets", () => client.post("config/budgets/remove", { budget: id }));
  return (
    <Card
      title={text("keys.budgets")}
      note={text("keys.budgets_note")}
      controls={
        <Button size="small" icon={Plus} onPress={onAdd}>
          {text("keys.budget_set")}
        </Button>
      }
    >
      {!budgets.length && <EmptyText title={text("keys.no_budget")} />}
      <ul class="listing">
        {budgets.map((budget) => (
          <li key={budget.id} class="line">
            <p class="grow cut" title={text("keys.budget_since", { time: formatTime(budget.since) })}>
              <b>
                <bdi>{budgetTitle(budget)}</bdi>
              </b>{" "}
              <span class="quiet">{tokenText("budget_period", budget.period)}</span>
            </p>
            {budget.revokes && <Badge tone="you">{text("keys.budget_revokes")}</Badge>}
            <span style={{ width: "140px" }}>
              <Meter percent={budget.percent} title={budgetSpend(budget)} />
            </span>
            <span class="number">{budgetSpend(budget)}</span>
            <Button
              size="small"
              label={`${text("keys.budget_remove")}: ${budgetTitle(budget)}`}
              onPress={() => remove(budget)}
            >
              {text("keys.budget_remove")}
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  );
}
