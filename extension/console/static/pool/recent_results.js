/** @import { RecentView } from "../../_generated_types.js" */

const MOST_ACCOUNTS = 150;
const SETTLE_MS = 80;
/** Time between reads of accounts that only have a newer result: during a run some on the screen always do. */
const NEWER_MS = 1_000;

/**
 * Last results of the accounts near the screen, read when they come into sight and when they have a newer result than
 * was read. Dispatches `change`.
 *
 * @typedef {readonly [account: number, newest: number]} Wanted time of the newest result that is known, 0 without one
 */
export class RecentResults extends EventTarget {
  /** @type {Map<number, RecentView[]>} */ #known = new Map();
  /** @type {Map<number, number>} newest result that an account had when it was read */ #asked = new Map();
  /** @type {Map<number, number>} */ #wanted = new Map();
  /** @type {Set<number>} accounts whose known results may have newer ones beside them */ #outdated = new Set();
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;
  #stopped = false;

  /** @param {import("../connection/client.js").Client} client */
  constructor(client) {
    super();
    this.client = client;
  }

  /**
   * Return the last results of an account, the newest first.
   *
   * @param {number | null} account
   */
  of(account) {
    return (account !== null && this.#known.get(account)) || [];
  }

  /**
   * Read the results of accounts that are not known yet, once the screen rests, and newer ones now and then.
   *
   * @param {Wanted[]} accounts
   */
  want(accounts) {
    let isUnknown = false;
    for (const [account, newest] of accounts) {
      const isNew = !this.#known.has(account) || this.#outdated.has(account);
      if (isNew || newest > (this.#asked.get(account) ?? 0)) this.#wanted.set(account, newest);
      isUnknown ||= isNew;
    }
    if (!this.#wanted.size || (!isUnknown && this.#timer !== undefined)) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#read(), isUnknown ? SETTLE_MS : NEWER_MS);
  }

  /** Have everything read again that is in sight: a run has begun or ended. What is known is shown meanwhile. */
  renew() {
    for (const account of this.#known.keys()) this.#outdated.add(account);
    this.dispatchEvent(new Event("change"));
  }

  /** Read and report nothing any more. */
  stop() {
    clearTimeout(this.#timer);
    this.#stopped = true;
  }

  async #read() {
    this.#timer = undefined;
    if (this.client.leaving) return;
    const wanted = [...this.#wanted].slice(-MOST_ACCOUNTS);
    this.#wanted.clear();
    // Before the answer: a result that lands, or a run that ends meanwhile, has the account read once more.
    for (const [id, newest] of wanted) {
      this.#asked.set(id, newest);
      this.#outdated.delete(id);
    }
    // A strip that cannot be read stays empty; the page has other reads that report a missing service.
    const account = wanted.map(([id]) => id);
    const answer = await this.client.get("pool/recent", { account }).catch(() => null);
    if (this.#stopped) return;
    if (!answer) {
      for (const id of account) this.#asked.delete(id);
      return;
    }
    for (const id of account) this.#known.set(id, []);
    for (const { account: id, results } of answer.accounts) this.#known.set(id, results);
    this.dispatchEvent(new Event("change"));
  }
}
