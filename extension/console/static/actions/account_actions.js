import { accountName, plural } from "../formatting.js";
import { planDelete, planSwitch } from "./change_plan.js";
import { planNodes } from "./plan_nodes.js";

/** @import { Account } from "../table/rows.js" */

/** Disable, enable and delete accounts after a confirmation. */
export class AccountActions {
  /**
   * @param {import("../connection/client.js").Client} client
   * @param {import("./action_dialog.js").ActionDialog} dialog
   * @param {() => Promise<void>} onDone called after a change was asked for, whatever came of it
   */
  constructor(client, dialog, onDone) {
    this.client = client;
    this.onDone = onDone;
    this.dialog = dialog;
  }

  /**
   * @param {Account[]} accounts
   * @param {boolean} disabled
   */
  switch(accounts, disabled) {
    const verb = disabled ? "Disable" : "Enable";
    const plan = planSwitch(accounts, disabled);
    this.#confirm(verb, plan, accounts, (reason) =>
      this.client.post("pool/status", { accounts: plan.ids, disabled, ...(reason ? { reason } : {}) }));
  }

  /** @param {Account[]} accounts */
  delete(accounts) {
    const plan = planDelete(accounts);
    this.#confirm("Delete", plan, accounts, (reason) =>
      this.client.post("pool/delete", { accounts: plan.ids, ...(reason ? { reason } : {}) }));
  }

  /**
   * @param {"Disable" | "Enable" | "Delete"} verb
   * @param {import("./change_plan.js").Plan} plan
   * @param {Account[]} accounts
   * @param {(reason: string) => Promise<import("../../_generated_types.js").ActionsAnswer>} send
   */
  #confirm(verb, plan, accounts, send) {
    const count = plan.ids.length;
    const subject = count === 1 && accounts.length === 1 ? accountName(accounts[0]) : plural(count, "account");
    this.dialog.open({
      title: count ? `${verb} ${subject}?` : `Nothing to ${verb.toLowerCase()}`,
      verb,
      danger: verb === "Delete",
      body: planNodes(plan),
      possible: count > 0,
      asksWhy: count > 0,
      perform: async (reason) => {
        try {
          return await send(reason);
        } finally {
          await this.onDone();
        }
      },
    });
  }
}
