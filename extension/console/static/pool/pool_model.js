/**
 * The accounts in view, as the service reads them from the gateway, each with its last result. Dispatches `change`, and
 * `load` when the pool was read.
 *
 * @typedef {import("../table/rows.js").Account} Account
 * @typedef {import("../table/rows.js").Result} Result
 */
export class PoolModel extends EventTarget {
  #latest = 0;

  /** @param {import("../connection/client.js").Client} client */
  constructor(client) {
    super();
    this.client = client;
    /** @type {Map<number, Account>} */
    this.accounts = new Map();
    /** @type {{total: number, enabled: number, disabled: number} | null} */
    this.statistics = null;
    /** @type {{name: string, reason: string}[]} */
    this.skipped = [];
    this.readAt = 0;
  }

  /**
   * Reads the pool. Of several reads under way only the newest counts.
   *
   * @param {{source: string, family: string, filter: string}} scope
   */
  async load(scope) {
    const mine = ++this.#latest;
    const answer = await this.client.get("pool", scope);
    if (mine !== this.#latest) return;
    this.accounts = new Map(answer.accounts.map((account) => [account.id, account]));
    this.statistics = answer.statistics;
    this.skipped = answer.skipped;
    this.readAt = answer.readAt;
    this.dispatchEvent(new Event("change"));
    this.dispatchEvent(new Event("load"));
  }

  /**
   * Puts results that have just landed at their accounts.
   *
   * @param {Result[]} results
   */
  applyResults(results) {
    let changed = false;
    for (const result of results) {
      const account = this.accounts.get(result.account);
      if (!account || (account.lastResult && account.lastResult.seq >= result.seq)) continue;
      this.accounts.set(account.id, { ...account, lastResult: result });
      changed = true;
    }
    if (changed) this.dispatchEvent(new Event("change"));
  }
}
