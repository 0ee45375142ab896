/**
 * Reversal of changes: disabled and enabled accounts get their state before back, deleted files are restored. Two
 * requests of the service, one confirmation for the person.
 */

import { element } from "../dom.js";
import { text, tokenText } from "../language/catalogue.js";
import { around, placedNodes } from "../layout/account_name.js";
import { nameList } from "./plan_nodes.js";

/**
 * @import { ActionView, CommandAnswer } from "../../_generated_types.js"
 * @import { Client } from "../connection/client.js"
 * @import { Command } from "./command.js"
 * @typedef {{account: number, name: () => (Node | string)[]}} Deleted
 * @typedef {{batch: number | null, switched: ActionView[], deleted: Deleted[]}} Reversal `batch`: all of `switched`
 *     belong to it, and are undone as a whole
 */

const SWITCHES = ["disable", "enable"];

/**
 * Return what can be taken back of some actions, or null when nothing can.
 *
 * @param {ActionView[]} actions
 * @param {{batch?: number | null, reverted?: Iterable<number>, kept?: ReadonlySet<number>}} [known] `kept`: accounts
 *     whose deleted file is kept; all, if it is not given
 * @returns {Reversal | null}
 */
export function reversalOf(actions, { batch = null, reverted = [], kept } = {}) {
  const done = new Set(reverted);
  const applied = actions.filter(({ outcome }) => outcome === "applied");
  const switched = applied.filter(({ id, action }) => SWITCHES.includes(action) && !done.has(id));
  const deleted = applied.filter(({ account, action }) => action === "delete" && (!kept || kept.has(account)))
    .map((action) => ({ account: action.account, name: () => nodesOfAction(action) }));
  return switched.length || deleted.length ? { batch, switched, deleted } : null;
}

/** @param {Reversal} reversal */
export function reversalVerb({ switched }) {
  return text(switched.length ? "dialog.undo" : "dialog.restore");
}

/** @param {Reversal} reversal */
export function reversalOffer({ switched }) {
  return text(switched.length ? "undo.undo" : "undo.restore");
}

/**
 * @param {Reversal} reversal
 * @returns {string | (Node | string)[]}
 */
export function reversalQuestion({ batch, switched, deleted }) {
  const n = switched.length + deleted.length;
  if (n === 1) {
    const [action] = switched;
    return action
      ? around((name) => text("log.undo_question", { action: tokenText("action", action.action), name }),
        nodesOfAction(action))
      : around((name) => text("log.restore_question", { name }), deleted[0].name());
  }
  if (!switched.length) return text("log.restore_files_question", { n });
  if (batch === null) return text("log.undo_changes_question", { n });
  return text("log.undo_batch_question", { n, batch: String(batch) });
}

/**
 * What a reversal does to which accounts.
 *
 * @param {Reversal} reversal
 */
export function reversalNodes({ switched, deleted }) {
  /**
   * @template T
   * @param {"disable" | "enable" | "delete"} action
   * @param {readonly T[]} items
   * @param {(item: T) => (Node | string)[]} nodesOf
   */
  const part = (action, items, nodesOf) => (items.length ? [element("section", { class: "planned" },
    element("p", { text: text(`taken_back.${action}`, { n: items.length }) }), nameList(items, nodesOf))] : []);
  const nodes = [
    ...part("disable", switched.filter(({ action }) => action === "disable"), nodesOfAction),
    ...part("enable", switched.filter(({ action }) => action === "enable"), nodesOfAction),
    ...part("delete", deleted, ({ name }) => name()),
  ];
  return switched.length ? [...nodes, element("p", { text: text("log.undo_effect", { n: switched.length }) })] : nodes;
}

/**
 * Carry out a reversal to its end: the undo first, then the restoration of files.
 *
 * @param {Client} client
 * @param {Reversal} reversal
 * @param {Command} command
 * @returns {Promise<CommandAnswer>}
 */
export async function carryOut(client, { batch, switched, deleted }, command) {
  const chosen = batch === null ? { actions: switched.map(({ id }) => id) } : { batch };
  const accounts = deleted.map(({ account }) => account);
  const undone = switched.length
    ? await command.carryOut((more) => client.post("pool/undo", { ...chosen, ...more }),
      { cause: "undo", accounts: switched.map(({ account }) => account) }) : null;
  const restored = accounts.length
    ? await command.carryOut(() => client.post("pool/restore", { accounts, background: true }), { accounts }) : null;
  if (!undone || !restored) return undone ?? restored ?? { batch: null, actions: [] };
  return { batch: restored.batch, actions: [...undone.actions, ...restored.actions] };
}

/** @param {ActionView} action */
function nodesOfAction(action) {
  return placedNodes({ ...action, id: action.account });
}

/**
 * Return what takes back a command; null for one that took something back itself.
 *
 * @param {CommandAnswer} done
 */
export function reversalOfCommand({ batch, actions }) {
  return batch && batch.cause !== "undo" ? reversalOf(actions, { batch: batch.id }) : null;
}
