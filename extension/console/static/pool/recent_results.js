/** @import { RecentView } from "../../_generated_types.js" */

const MOST_ACCOUNTS = 150;
const SETTLE_MS = 80;

/** Last results of the accounts near the screen, read when they come into sight. Dispatches `change`. */
export class RecentResults extends EventTarget {
  /** @type {Map<number, RecentView[]>} */ #known = new Map();
  /** @type {Set<number>} */ #wanted = new Set();
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
   * Read the results of accounts that are not known yet, once the screen rests.
   *
   * @param {number[]} accounts
   */
  want(accounts) {
    for (const account of accounts) {
      if (!this.#known.has(account) || this.#outdated.has(account)) this.#wanted.add(account);
    }
    if (!this.#wanted.size) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#read(), SETTLE_MS);
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
    if (this.client.leaving) return;
    const account = [...this.#wanted].slice(-MOST_ACCOUNTS);
    this.#wanted.clear();
    // A strip that cannot be read stays empty; the page has other reads that report a missing service.
    const answer = await this.client.get("pool/recent", { account }).catch(() => null);
    if (!answer || this.#stopped) return;
    for (const id of account) {
      this.#known.set(id, []);
      this.#outdated.delete(id);
    }
    for (const { account: id, results } of answer.accounts) this.#known.set(id, results);
    this.dispatchEvent(new Event("change"));
  }
}
