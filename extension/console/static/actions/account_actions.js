import { around, placedNodes } from "../layout/account_name.js";
import { leaveOut, planDelete, planSwitch } from "./change_plan.js";
import { planNodes } from "./plan_nodes.js";
import { planSummary } from "./plan_summary.js";
import { text } from "../language/catalogue.js";
import { holdText } from "../language/reasons.js";

/**
 * @import { Account } from "../table/rows.js"
 * @import { CommandAnswer } from "../../_generated_types.js"
 */

const nothing = () => {};

/** Disable, enable and delete accounts after a confirmation. */
export class AccountActions {
  /**
   * @param {import("../connection/client.js").Client} client
   * @param {import("./action_dialog.js").ActionDialog} dialog
   */
  constructor(client, dialog) {
    this.client = client;
    this.dialog = dialog;
  }

  /**
   * Change one account that was chosen by itself, also when it is on hold; the dialog says so, and why.
   *
   * @param {Account[]} accounts
   * @param {boolean} disabled
   * @param {() => void} [onPerformed] called when the change was asked for
   */
  async switch(accounts, disabled, onPerformed = nothing) {
    const plan = planSwitch(accounts, disabled);
    if (plan.ids.length && accounts[0].onHold) {
      const isWaiting = this.dialog.wait();
      try {
        plan.hold = await this.holdReason({ id: accounts[0].id, action: disabled ? "disable" : "enable" });
      } catch (problem) {
        if (isWaiting()) this.dialog.fail(problem);
        return;
      }
      if (!isWaiting()) return;
    }
    this.#confirmSwitch(plan, accounts, disabled, plan.ids, onPerformed);
  }

  /**
   * Return why the recommended change of an account is on hold; empty where it is not.
   *
   * @param {Pick<import("../table/rows.js").Row, "id" | "action">} row
   */
  async holdReason({ id, action }) {
    const { held } = await this.client.post("pool/plan", { accounts: [id], action });
    const found = held.find(({ account }) => account === id);
    return found ? holdText(found, found.against) : "";
  }

  /**
   * Change a selection, without the accounts on hold; one that is selected alone is chosen by itself.
   *
   * @param {Account[]} accounts
   * @param {boolean} disabled
   * @param {() => void} onPerformed called when the change was asked for
   */
  async switchSelected(accounts, disabled, onPerformed) {
    if (accounts.length === 1) {
      await this.switch(accounts, disabled, onPerformed);
      return;
    }
    const plan = planSwitch(accounts, disabled);
    if (plan.ids.length) {
      const isWaiting = this.dialog.wait();
      try {
        const known = await this.client.post("pool/plan", {
          accounts: plan.ids, action: disabled ? "disable" : "enable",
        });
        plan.held = known.held.length;
        for (const group of [known.held, known.refused, known.notEnabled]) leaveOut(plan, group);
      } catch (problem) {
        if (isWaiting()) this.dialog.fail(problem);
        return;
      }
      if (!isWaiting()) return;
    }
    this.#confirmSwitch(plan, accounts, disabled, [], onPerformed);
  }

  /**
   * @param {Account[]} accounts
   * @param {() => void} [onPerformed] called when the change was asked for
   */
  delete(accounts, onPerformed = nothing) {
    const plan = planDelete(accounts);
    this.#confirm("delete", plan, accounts, onPerformed, (reason) =>
      this.client.post("pool/delete", { accounts: plan.ids, ...sent(reason) }));
  }

  /**
   * @param {import("./change_plan.js").Plan} plan
   * @param {Account[]} accounts
   * @param {boolean} disabled
   * @param {number[]} released accounts that are changed even if they are on hold
   * @param {() => void} onPerformed
   */
  #confirmSwitch(plan, accounts, disabled, released, onPerformed) {
    this.#confirm(disabled ? "disable" : "enable", plan, accounts, onPerformed, (reason, more) =>
      this.client.post("pool/status", {
        accounts: plan.ids, disabled, ...(released.length ? { released } : {}), ...sent(reason), ...more,
      }));
  }

  /**
   * @param {"disable" | "enable" | "delete"} action
   * @param {import("./change_plan.js").Plan} plan
   * @param {Account[]} accounts
   * @param {() => void} onPerformed
   * @param {(reason: string, more: import("./command.js").Accepted) => Promise<CommandAnswer>} send
   */
  #confirm(action, plan, accounts, onPerformed, send) {
    const verb = text(`bulk.${action}`);
    const count = plan.ids.length;
    const subject = count === 1 && accounts.length === 1
      ? placedNodes(accounts[0]) : [text("count.accounts", { n: count })];
    this.dialog.open({
      title: count ? around((place) => text("plan.question", { verb, subject: place }), subject)
        : [text(`plan.nothing_${action}`)],
      verb,
      danger: action === "delete",
      body: [...planSummary(plan, action), ...planNodes(plan)],
      possible: count > 0,
      asksWhy: count > 0,
      perform: (reason, command) => command.carryOut(async (more) => {
        const answer = await send(reason, more);
        onPerformed();
        return answer;
      }, { accounts: plan.ids }),
    });
  }
}

/**
 * Rest of every request: the note, and the wish to be answered as soon as the batch has begun, because a proxy or a
 * plugin's host gives up on a slow answer while the change goes on.
 *
 * @param {string} reason
 */
function sent(reason) {
  return { ...(reason ? { reason } : {}), background: true };
}
