import { reversalOf } from "../actions/reversal.js";
import { element } from "../dom.js";
import { formatTime } from "../formatting.js";
import { listing, smallButton } from "../follow_up/listing.js";
import { text } from "../language/catalogue.js";

/**
 * @import { ActionView, DeletedFileView } from "../../_generated_types.js"
 */

const MOST_OF_BATCH = 2000;
const RESTORE = "restore";

/**
 * List of the deleted files that can be restored; empty without any.
 *
 * @param {DeletedFileView[]} files
 * @param {(files: DeletedFileView[]) => void} onRestore
 */
export function deletedFileList(files, onRestore) {
  if (!files.length) return [];
  const rows = files.map((file) => [
    element("bdi", { text: file.name }), `#${file.account}`, formatTime(file.deletedAt), formatTime(file.keptUntil),
    smallButton(text("log.restore"), () => onRestore([file]), text("log.restore_of", { name: file.name })),
  ]);
  const heads = [text("deleted.file"), text("log.account"), text("deleted.at"), text("deleted.until"), ""];
  const all = smallButton(text("deleted.restore_all"), () => onRestore(files));
  return [element("details", { class: "deleted-files", attributes: { id: "deleted-files" } },
    element("summary", { text: text("deleted.title", { n: files.length }) }),
    ...(files.length > 1 ? [element("p", { class: "buttons" }, all)] : []), listing(heads, rows))];
}

/**
 * Numbers of the deletions whose file can be restored: the last one of each account with a file that is kept.
 *
 * @param {ActionView[]} actions newest first
 * @param {DeletedFileView[]} files
 */
export function restorable(actions, files) {
  const kept = new Set(files.map(({ account }) => account));
  /** @type {Set<number>} */
  const found = new Set();
  for (const { id, account, action, outcome } of actions) {
    if (action === "delete" && outcome === "applied" && kept.delete(account)) found.add(id);
  }
  return found;
}

/**
 * Accounts whose file was restored after the deletion that is in view.
 *
 * @param {ActionView} deletion
 * @param {ActionView[]} actions
 */
export function wasRestored(deletion, actions) {
  return actions.some(({ id, account, action, outcome }) =>
    account === deletion.account && String(action) === RESTORE && outcome === "applied" && id > deletion.id);
}

/**
 * Return what takes back the actions of a batch.
 *
 * @param {import("../connection/client.js").Client} client
 * @param {number} batch
 */
export async function reversalOfBatch(client, batch) {
  const [{ actions, reverted }, { files }] = await Promise.all([
    client.get("pool/actions", { batch, limit: MOST_OF_BATCH }), client.get("pool/restore")]);
  return reversalOf(actions, { batch, reverted, kept: new Set(files.map(({ account }) => account)) });
}
