import { reversalNodes, reversalOf } from "../actions/reversal.js";

/** @import { ActionView } from "../../_generated_types.js" */

const PAGE = 2_000;

/**
 * Name the changes that undoing a run takes back: those on its results that stand, deletions left aside.
 *
 * @param {import("../connection/client.js").Client} client
 * @param {number} run
 * @returns {Promise<HTMLElement[]>}
 */
export async function standingChanges(client, run) {
  /** @type {ActionView[]} */
  const found = [];
  /** @type {Set<number>} */
  const reverted = new Set();
  for (let before = {}; ;) {
    const page = await client.get("pool/actions", { run, result: "applied", limit: PAGE, ...before });
    found.push(...page.actions.filter(({ undoes }) => undoes === null));
    for (const id of page.reverted) reverted.add(id);
    if (page.actions.length < PAGE) break;
    before = { before: page.actions[page.actions.length - 1].id };
  }
  const reversal = reversalOf(found, { reverted, kept: new Set() });
  return reversal ? reversalNodes(reversal) : [];
}
