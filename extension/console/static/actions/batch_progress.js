import { element } from "../dom.js";
import { text } from "../language/catalogue.js";
import { dialogButton } from "./dialog_node.js";

/**
 * @import { BatchView, CommandAnswer } from "../../_generated_types.js"
 * @import { Client } from "../connection/client.js"
 */

/** Pauses between two looks at a batch: a single change ends at once, a large one is watched at leisure. */
const POLL_MS = [40, 80, 160, 400];
/** Looks without a word of progress, so that a change that ends at once does not flicker. */
const QUIET_LOOKS = 2;
const PAGE = 2000;
const ACTIVE = ["waiting", "running"];

/** @param {BatchView} batch */
export function isActive(batch) {
  return ACTIVE.includes(batch.state);
}

/**
 * Follow the batch of a command to its end, and return it with its actions.
 *
 * @param {Client} client
 * @param {CommandAnswer} begun
 * @param {(batch: BatchView) => void} onProgress
 * @returns {Promise<CommandAnswer>}
 */
export async function followed(client, begun, onProgress) {
  let { batch } = begun;
  if (!batch || !isActive(batch)) return begun;
  const id = batch.id;
  for (let look = 0; isActive(batch); look += 1) {
    if (look >= QUIET_LOOKS) onProgress(batch);
    const pause = POLL_MS[Math.min(look, POLL_MS.length - 1)];
    await new Promise((resolve) => { setTimeout(resolve, pause); });
    ({ batches: [batch] } = await client.get("pool/batches", { batch: id }));
  }
  return withActions(client, batch);
}

/**
 * Return a batch with its actions, in the order in which they were made.
 *
 * @param {Client} client
 * @param {BatchView} batch
 * @returns {Promise<CommandAnswer>}
 */
export async function withActions(client, batch) {
  const { actions } = await client.get("pool/actions", { batch: batch.id, limit: PAGE });
  return { batch, actions: actions.reverse() };
}

/**
 * Progress of a batch in words, with its rate.
 *
 * @param {BatchView} batch
 * @param {number} now milliseconds UTC
 */
export function progressText({ done, total, at }, now) {
  if (!total) return text("dialog.planning");
  const seconds = Math.max(0.1, (now - at) / 1000);
  if (!done) return text("dialog.progress", { done, total });
  return text("dialog.progress_rate", { done, total, rate: Math.round(done / seconds) });
}

/**
 * Show the progress of a batch in the place of what was waited for before.
 *
 * @param {HTMLElement} heading
 * @param {HTMLElement} body with the place and a hint
 * @param {BatchView} batch
 */
export function showProgress(heading, body, batch) {
  const [place, hint] = body.children;
  heading.textContent = text("dialog.working");
  place.replaceChildren(
    element("p", { text: progressText(batch, Date.now()), attributes: { role: "status" } }),
    element("progress", { attributes: { max: Math.max(1, batch.total), value: batch.done } }));
  hint.textContent = text("dialog.goes_on");
}

/**
 * Build the button that starts no further change of a batch.
 *
 * @param {Client} client
 * @param {number} batch
 */
export function cancelButton(client, batch) {
  const cancel = dialogButton(text("dialog.cancel_rest"), "plain", () => {
    cancel.disabled = true;
    client.post("pool/batches/cancel", undefined, { batch }).catch(() => { cancel.disabled = false; });
  });
  return cancel;
}
