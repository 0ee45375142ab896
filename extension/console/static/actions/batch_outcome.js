import { element } from "../dom.js";
import { placedName } from "../formatting.js";
import { text, tokenText } from "../language/catalogue.js";
import { reasonsText } from "../language/reasons.js";
import { outcomeLabel } from "./plan_nodes.js";

/** @import { BatchView, CommandAnswer } from "../../_generated_types.js" */

/**
 * Accounts that a batch left on hold, and its early end.
 *
 * @param {BatchView | null} batch
 */
export function batchNodes(batch) {
  if (!batch) return [];
  const held = batch.planned.onHold ? text("dialog.left_on_hold", { n: batch.planned.onHold }) : "";
  return [earlyEnd(batch), held].filter(Boolean).map((line) => element("p", { text: line }));
}

/**
 * How a batch ended before all was done, in words; empty for any other.
 *
 * @param {BatchView | null} batch
 */
function earlyEnd(batch) {
  if (!batch || batch.state === "done") return "";
  const ended = text("dialog.batch_ended", {
    state: tokenText("batch_state", batch.state), n: batch.total - batch.done,
    reason: reasonsText(batch.reasons, batch.reason),
  });
  return [ended.trim(), restOf(batch)].filter(Boolean).join(" ");
}

/**
 * How to go on with the rest of a batch that was cut off; empty for any other.
 *
 * @param {BatchView} batch
 */
function restOf(batch) {
  if (!["failed", "interrupted"].includes(batch.state) || batch.done >= batch.total) return "";
  return text(batch.cause === "run" ? "batch_rest.of_run" : "batch_rest.of_command");
}

/**
 * Whether each account was changed and the command left nothing else to tell.
 *
 * @param {CommandAnswer} done
 */
export function wentAsAsked({ actions, batch }) {
  const isPlain = actions.length > 0 && actions.every(({ outcome, texts }) =>
    outcome === "applied" && (texts?.length ?? 0) <= 1);
  return isPlain && batch?.state === "done" && !batch.planned.onHold;
}

/**
 * One line about a change: what became of its account, or how many accounts changed.
 *
 * @param {CommandAnswer} done
 */
export function summaryOf({ actions, batch }) {
  const [action] = actions;
  if (actions.length === 1) {
    const said = reasonsText(action.texts, action.text) || outcomeLabel(action.outcome);
    return text("undo.said", { subject: placedName({ ...action, id: action.account }), said });
  }
  const n = Math.max(batch?.outcomes.applied ?? 0, actions.length);
  if (actions.every((each) => String(each.action) === "restore")) return text("undo.restored", { n });
  if (actions.every((each) => each.action === "delete")) return text("undo.deleted", { n });
  const isUndo = batch?.cause === "undo" || actions.some(({ undoes }) => undoes);
  return [text(isUndo ? "undo.undone" : "undo.offer", { n }), earlyEnd(batch)].filter(Boolean).join(" ");
}
