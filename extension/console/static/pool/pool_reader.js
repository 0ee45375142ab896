/** @import { SlimPoolAnswer, Source } from "../../_generated_types.js" */

/**
 * Reading of a pool in pages: one that fits the screen, then the rest.
 *
 * A pool of 10,000 accounts is several megabytes, which take longer to encode, transfer and parse than a person waits
 * for a row, and longer to parse in one go than a frame. The pages are those of one revision of the configuration,
 * which the service reads from the gateway once for them; when it changes in between, the reading starts again.
 *
 * @typedef {{source: Source, family: string, filter: string}} PoolScope
 * @typedef {import("../connection/client.js").Query} Query
 */

const FIRST = 200;
const CHUNK = 2_500;
const MOST_STARTS = 3;
/** Seconds of a reading of the gateway that a page which opens shares with its other questions. */
export const READING_AGE = 5;

/**
 * Read all accounts of a scope.
 *
 * @param {import("../connection/client.js").Client} client
 * @param {PoolScope} scope
 * @param {{order?: Query, isWanted?: () => boolean, onFirst?: (answer: SlimPoolAnswer) => void}} how
 *     `onFirst` gets the first accounts in this order, where there are more; without it nothing is read ahead. A
 *     reading
 *     that is not wanted any more ends.
 * @returns {Promise<SlimPoolAnswer | null>} null: not wanted any more
 */
export async function readPool(client, scope, { order = {}, isWanted = () => true, onFirst } = {}) {
  /** @type {Query} */
  let asked = { ...scope, view: "slim" };
  if (onFirst) {
    const first = await client.get("pool", { ...asked, ...order, limit: FIRST, age: READING_AGE });
    if (!isWanted()) return null;
    if (first.accounts.length >= first.statistics.total) return first;
    onFirst(first);
    asked = { ...asked, revision: first.revision };
  }
  for (let start = 1; ; start += 1) {
    const whole = await readChunks(client, asked, isWanted, start === MOST_STARTS);
    if (whole || !isWanted()) return whole;
  }
}

/**
 * @param {import("../connection/client.js").Client} client
 * @param {Query} asked
 * @param {() => boolean} isWanted
 * @param {boolean} isLastStart whether pages of several revisions are better than none
 * @returns {Promise<SlimPoolAnswer | null>} null: not wanted any more, or the configuration changed meanwhile
 */
async function readChunks(client, asked, isWanted, isLastStart) {
  const whole = await client.get("pool", { ...asked, sort: "id", limit: CHUNK });
  const accounts = new Map(whole.accounts.map((account) => [account.id, account]));
  for (let next = whole.next ?? null; next !== null;) {
    if (!isWanted()) return null;
    const rest = { revision: whole.revision, sort: "id", offset: next, limit: CHUNK };
    const page = await client.get("pool", { ...asked, ...rest });
    if (page.revision !== whole.revision && !isLastStart) return null;
    for (const account of page.accounts) accounts.set(account.id, account);
    next = page.next;
  }
  return isWanted() ? { ...whole, accounts: [...accounts.values()], next: null } : null;
}
