import { useSignal } from "@preact/signals";
import { isSilent } from "../../connection/problem.js";
import { text, tokenText } from "../../language/catalogue.js";
import { Drawer } from "../../parts/drawer.js";
import { Field } from "../../parts/field.js";
import { refusalOf, type Refusal } from "../../parts/refusal.js";
import { Segmented } from "../../parts/segmented.js";
import { useServices } from "../../shell/services.js";
import { titleOf, type KeyRow } from "./model.js";

const FORM = "budget-form";
const SCOPES = ["all", "client", "account"] as const;
const FIELDS = ["amount", "client", "account"];

export interface BudgetDrawerProps {
  rows: readonly KeyRow[];
  onClose: () => void;
  refresh: () => Promise<void>;
}

/** Return the request of a form, which has the fields of its scope alone. */
function bodyOf(fields: FormData) {
  const read = (name: string) => String(fields.get(name) ?? "").trim();
  const terms = { amount: read("amount"), period: read("period") };
  if (fields.has("client")) return { ...terms, client: read("client"), revokes: fields.has("revokes") };
  return fields.has("account") ? { ...terms, account: Number(read("account")) } : terms;
}

/** Sets a budget of everything, a client key or an account. */
export function BudgetDrawer({ rows, onClose, refresh }: BudgetDrawerProps) {
  const { client } = useServices();
  const scope = useSignal<(typeof SCOPES)[number]>("all");
  const refusal = useSignal<Refusal>({});
  const isBusy = useSignal(false);
  const save = async (form: HTMLFormElement) => {
    if (isBusy.peek()) return;
    isBusy.value = true;
    refusal.value = {};
    try {
      await client.post("config/budgets", bodyOf(new FormData(form)));
      await refresh();
      onClose();
    } catch (problem) {
      if (!isSilent(problem)) refusal.value = refusalOf(problem, FIELDS);
    } finally {
      isBusy.value = false;
    }
  };
  const foot = (
    <>
      <span class="grow" />
      <button type="submit" form={FORM} class="button primary normal" aria-busy={isBusy.value || undefined}>
        {text("keys.save")}
      </button>
    </>
  );
  return (
    <Drawer title={text("keys.budget_set")} foot={foot} onClose={onClose}>
      <form
        id={FORM}
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void save(event.currentTarget);
        }}
      >
        <Segmented
          label={text("keys.budget_scope")}
          value={scope.value}
          segments={SCOPES.map((value) => ({ value, label: tokenText("budget_of", value) }))}
          onChange={(value) => (scope.value = value)}
        />
        {scope.value === "client" && (
          <Field label={text("keys.key")} problem={refusal.value.client}>
            <select name="client" required>
              {rows.map((row) => (
                <option key={row.fingerprint} value={row.fingerprint}>
                  {titleOf(row)}
                </option>
              ))}
            </select>
          </Field>
        )}
        {scope.value === "account" && (
          <Field label={text("keys.account")} hint={text("keys.account_hint")} problem={refusal.value.account}>
            <input name="account" type="number" min={1} required />
          </Field>
        )}
        <Field label={text("keys.amount")} problem={refusal.value.amount}>
          <input name="amount" inputMode="decimal" required maxLength={13} />
        </Field>
        <Field label={text("keys.period")} hint={text("keys.period_hint")}>
          <select name="period">
            <option value="month">{tokenText("budget_period", "month")}</option>
            <option value="day">{tokenText("budget_period", "day")}</option>
          </select>
        </Field>
        {scope.value === "client" && (
          <label class="row">
            <input name="revokes" type="checkbox" />
            {text("keys.budget_revoke")}
          </label>
        )}
        {refusal.value[""] && (
          <p class="problem" role="alert">
            {refusal.value[""]}
          </p>
        )}
      </form>
    </Drawer>
  );
}
