import { text } from "../language/catalogue.js";

/**
 * @import { BatchView, CommandAnswer } from "../../_generated_types.js"
 * @import { Client } from "../connection/client.js"
 */

/** Least number of accounts of a command that is carried out in the background, with its progress shown. */
export const BACKGROUND_FROM = 100;
const POLL_MS = 400;
const PAGE = 2000;
const ACTIVE = ["waiting", "running"];

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
  if (!batch || !ACTIVE.includes(batch.state)) return begun;
  const id = batch.id;
  while (batch && ACTIVE.includes(batch.state)) {
    onProgress(batch);
    await new Promise((resolve) => { setTimeout(resolve, POLL_MS); });
    ({ batches: [batch] } = await client.get("pool/batches", { batch: id }));
  }
  const { actions } = await client.get("pool/actions", { batch: id, limit: PAGE });
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
