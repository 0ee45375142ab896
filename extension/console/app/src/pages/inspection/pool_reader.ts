/**
 * Reading of the accounts of a source in pages: one that fits the screen, then the rest.
 *
 * A pool of 10,000 accounts is several megabytes, which take longer to encode, transfer and parse than a person waits
 * for a row, and longer to parse in one go than a frame. The pages are those of one revision of the configuration,
 * which the service reads from the gateway once for them; when it changes in between, the reading starts again.
 */

import type { SlimPoolAnswer, Source } from "../../connection/api.js";
import type { Client, Query } from "../../connection/client.js";

const FIRST = 200;
const PAGE = 2_500;
const MOST_STARTS = 3;
/** Seconds of a reading of the gateway that the questions of a page which opens share. */
export const READING_AGE = 5;

export interface ReadingManner {
  /** Order of the accounts that are read first. */
  order?: Query;
  /** Whether the reading is still of use. */
  isCurrent: () => boolean;
  /** Gets the first accounts where there are more; without it nothing is read ahead. */
  onFirst?: (answer: SlimPoolAnswer) => void;
}

/** Read all accounts of a source; null when the reading is of no use any more. */
export async function readPool(
  client: Client,
  source: Source,
  { order = {}, isCurrent, onFirst }: ReadingManner,
): Promise<SlimPoolAnswer | null> {
  let query: Query = { source, family: "all", view: "slim" };
  if (onFirst) {
    const first = await client.get("pool", { ...query, ...order, limit: FIRST, age: READING_AGE });
    if (!isCurrent()) return null;
    if (first.accounts.length >= first.statistics.total) return first;
    onFirst(first);
    query = { ...query, revision: first.revision };
  }
  for (let start = 1; ; start += 1) {
    const whole = await readPages(client, query, isCurrent, start === MOST_STARTS);
    if (whole || !isCurrent()) return whole;
  }
}

/** Read page after page; null when the configuration changed meanwhile, unless several revisions are better than none. */
async function readPages(
  client: Client,
  query: Query,
  isCurrent: () => boolean,
  isLastStart: boolean,
): Promise<SlimPoolAnswer | null> {
  const whole = await client.get("pool", { ...query, sort: "id", limit: PAGE });
  const accounts = new Map(whole.accounts.map((account) => [account.id, account]));
  for (let { next } = whole; next !== null;) {
    if (!isCurrent()) return null;
    const rest = { revision: whole.revision, sort: "id", offset: next, limit: PAGE };
    const page = await client.get("pool", { ...query, ...rest });
    if (page.revision !== whole.revision && !isLastStart) return null;
    for (const account of page.accounts) accounts.set(account.id, account);
    ({ next } = page);
  }
  return isCurrent() ? { ...whole, accounts: [...accounts.values()], next: null } : null;
}
