import { text } from "../../language/catalogue.js";
import { Button } from "../../parts/button.js";
import type { AccountsModel } from "./accounts_model.js";
import type { Row } from "./rows.js";
import { assign } from "../../parts/assign.js";

/** Changes of the selected accounts; shown only while some are. */
export function SelectionBar({ model, rows }: { model: AccountsModel; rows: readonly Row[] }) {
  const selected = model.selection.value;
  if (!selected.size) return null;
  const accounts = model.accountsOf([...selected].map(Number));
  const shown = new Set(rows.map(({ id }) => String(id)));
  const unseen = [...selected].filter((id) => !shown.has(id)).length;
  const n = selected.size;
  const change = (verb: "disable" | "enable" | "delete") => model.change([{ verb, accounts }], { isSelection: true });
  return (
    <section class="selection-bar" aria-label={text("bulk.label")}>
      <b role="status">{unseen ? text("bulk.selected_unseen", { n, unseen }) : text("bulk.selected", { n })}</b>
      <Button size="small" onPress={() => assign(model.selection, new Set())}>
        {text("bulk.clear")}
      </Button>
      {accounts.some(({ enabled }) => enabled === false) && (
        <Button size="small" onPress={() => change("enable")}>
          {text("bulk.enable")}
        </Button>
      )}
      {accounts.some(({ enabled }) => enabled !== false) && (
        <Button size="small" tone="dead" onPress={() => change("disable")}>
          {text("accounts.disable_selected", { n: accounts.filter(({ enabled }) => enabled !== false).length })}
        </Button>
      )}
      {accounts.some(({ deletable }) => deletable) && (
        <Button size="small" tone="dead" onPress={() => change("delete")}>
          {text("accounts.delete_selected", { n: accounts.filter(({ deletable }) => deletable).length })}
        </Button>
      )}
    </section>
  );
}
