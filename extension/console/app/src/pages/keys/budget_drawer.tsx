import { useSignal } from "@preact/signals";
import { text, tokenText } from "../../language/catalogue.js";
import { Field } from "../../parts/field.js";
import { FormDrawer } from "../../parts/form.js";
import { Segmented } from "../../parts/segmented.js";
import { Select } from "../../parts/select.js";
import { useServices } from "../../shell/services.js";
import { titleOf, type KeyRow } from "./model.js";

const SCOPES = ["all", "client", "account"] as const;
const PERIODS = ["month", "day"] as const;
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
  const save = async (fields: FormData) => {
    await client.post("config/budgets", bodyOf(fields));
    await refresh();
    onClose();
  };
  return (
    <FormDrawer title={text("keys.budget_set")} names={FIELDS} verb={text("keys.save")} send={save} onClose={onClose}>
      {(refusal) => (
        <>
          <Segmented
            label={text("keys.budget_scope")}
            value={scope.value}
            segments={SCOPES.map((value) => ({ value, label: tokenText("budget_of", value) }))}
            onChange={(value) => (scope.value = value)}
          />
          {scope.value === "client" && (
            <Field label={text("keys.key")} problem={refusal.client}>
              <Select name="client" required choices={rows.map((row) => [row.fingerprint, titleOf(row)] as const)} />
            </Field>
          )}
          {scope.value === "account" && (
            <Field label={text("keys.account")} hint={text("keys.account_hint")} problem={refusal.account}>
              <input name="account" type="number" min={1} required />
            </Field>
          )}
          <Field label={text("keys.amount")} problem={refusal.amount}>
            <input name="amount" inputMode="decimal" required maxLength={13} />
          </Field>
          <Field label={text("keys.period")} hint={text("keys.period_hint")}>
            <Select name="period" choices={PERIODS.map((name) => [name, tokenText("budget_period", name)] as const)} />
          </Field>
          {scope.value === "client" && (
            <label class="row">
              <input name="revokes" type="checkbox" />
              {text("keys.budget_revoke")}
            </label>
          )}
        </>
      )}
    </FormDrawer>
  );
}
