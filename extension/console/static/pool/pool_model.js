import { Latest } from "../connection/latest.js";
import { readPool } from "./pool_reader.js";

/** @import { SkippedView, SlimPoolAnswer, Source, StatisticsView } from "../../_generated_types.js" */

/** Time after which a first answer is late enough to be spoken of. */
const LATE_MS = 1_000;

/** Evidence of a result that the service no longer has. */
const NO_EVIDENCE = { attempts: [], preview: "", headers: {}, windows: [] };

/**
 * The accounts in view, as the service reads them from the gateway, each with its last result; evidence is
 * read for one account at a time. Dispatches `change`, and
 * `load` when the pool was read.
 *
 * @typedef {import("../table/rows.js").Account} Account
 * @typedef {import("../table/rows.js").Result} Result
 */
export class PoolModel extends EventTarget {
  #latest = new Latest();
  #readings = 0;
  #scope = "";
  #shownScope = "";
  #shownSource = "";
  /** @type {Result[]} */ #landedMeanwhile = [];
  /** @type {Map<number, Result | null>} evidence by result; null while it is read */ #evidence = new Map();

  /** @param {import("../connection/client.js").Client} client */
  constructor(client) {
    super();
    this.client = client;
    /** @type {Map<number, Account>} */
    this.accounts = new Map();
    /** @type {StatisticsView | null} */
    this.statistics = null;
    /** @type {SkippedView[]} */
    this.skipped = [];
    this.readAt = 0;
    /** True when the accounts of the scope could not be read. */
    this.failed = false;
    /** True while only the first accounts of the scope are here. */
    this.partial = false;
    /** True while the gateway lets a page without accounts wait. */
    this.late = false;
  }

  /**
   * Read the pool, the first accounts in the order of the table before the rest. A reading is dropped when a later one,
   * or one of another scope, is shown or has begun. Results that
   * arrive during a reading are applied afterwards.
   *
   * @param {import("./pool_reader.js").PoolScope} scope
   * @param {import("../connection/client.js").Query} [order] of the accounts that are read first
   */
  async load(scope, order) {
    const ticket = this.#latest.begin();
    const mine = JSON.stringify(scope);
    this.#scope = mine;
    if (this.statistics && scope.source !== this.#shownSource) this.#showNothing({ failed: false });
    this.#readings += 1;
    const timer = setTimeout(() => this.#showLate(!this.statistics), LATE_MS);
    try {
      const isWanted = () => mine === this.#scope && this.#latest.isOpen(ticket);
      const isShown = mine === this.#shownScope && !this.partial;
      const onFirst = isShown ? undefined : (/** @type {SlimPoolAnswer} */ first) => {
        if (this.#latest.counts(ticket)) this.#show(first, scope.source, true);
      };
      const answer = await readPool(this.client, scope, { order, isWanted, onFirst });
      if (answer && mine === this.#scope && this.#latest.counts(ticket)) this.#show(answer, scope.source, false);
    } catch (problem) {
      if (mine === this.#scope && mine !== this.#shownScope) this.#showNothing({ failed: true });
      throw problem;
    } finally {
      clearTimeout(timer);
      this.#readings -= 1;
      if (!this.#readings) this.#landedMeanwhile = [];
      if (!this.#readings) this.#showLate(false);
    }
  }

  /** Number of accounts in scope, those included that are not here yet; null before it is known. */
  get total() {
    if (!this.statistics) return null;
    return this.partial ? this.statistics.total : this.accounts.size;
  }

  /** @param {boolean} isLate */
  #showLate(isLate) {
    if (this.late === isLate) return;
    this.late = isLate;
    this.dispatchEvent(new Event("change"));
  }

  /**
   * Put new results at their accounts.
   *
   * @param {Result[]} results
   */
  applyResults(results) {
    if (this.#readings) this.#landedMeanwhile.push(...results);
    if (this.#putIn(results)) this.dispatchEvent(new Event("change"));
  }

  /**
   * Read the evidence of the last result of an account, once.
   *
   * @param {Result} result
   */
  async readEvidence({ seq, run, account }) {
    if (this.#evidence.has(seq)) return;
    this.#evidence.set(seq, null);
    try {
      const { results } = await this.client.get("inspections/results", { run, after: seq - 1, limit: 1 });
      const found = results.find((result) => result.seq === seq);
      const shown = this.accounts.get(account)?.lastResult;
      if (shown?.seq !== seq) return;
      this.#evidence.set(seq, found ?? { ...shown, ...NO_EVIDENCE });
      this.#recallEvidence();
      this.dispatchEvent(new Event("change"));
    } catch (problem) {
      this.#evidence.delete(seq);
      throw problem;
    }
  }

  /** Put the evidence that was read at the accounts again, and forget that of earlier results. */
  #recallEvidence() {
    if (!this.#evidence.size) return;
    const last = new Map([...this.accounts.values()].map((account) => [account.lastResult?.seq, account]));
    for (const [seq, result] of this.#evidence) {
      const account = last.get(seq);
      if (!account) this.#evidence.delete(seq);
      else if (result) this.accounts.set(account.id, { ...account, lastResult: result });
    }
  }

  /**
   * Clear the accounts: those of another source while a source is read, those of another scope after a failed read.
   *
   * @param {{failed: boolean}} why
   */
  #showNothing({ failed }) {
    this.accounts = new Map();
    this.statistics = null;
    this.skipped = [];
    this.failed = failed;
    this.partial = false;
    this.#shownScope = "";
    this.dispatchEvent(new Event("change"));
  }

  /**
   * @param {SlimPoolAnswer} answer
   * @param {Source} source
   * @param {boolean} partial
   */
  #show(answer, source, partial) {
    this.partial = partial;
    this.failed = false;
    this.#shownScope = this.#scope;
    this.#shownSource = source;
    this.accounts = new Map(answer.accounts.map((account) => [account.id, account]));
    this.statistics = answer.statistics;
    this.skipped = answer.skipped;
    this.readAt = answer.readAt;
    this.#putIn(this.#landedMeanwhile);
    this.#recallEvidence();
    this.dispatchEvent(new Event("change"));
    if (!partial) this.dispatchEvent(new Event("load"));
  }

  /**
   * @param {Result[]} results
   * @returns {boolean} whether anything changed by it
   */
  #putIn(results) {
    let changed = false;
    for (const result of results) {
      const account = this.accounts.get(result.account);
      if (!account || (account.lastResult && account.lastResult.seq >= result.seq)) continue;
      this.accounts.set(account.id, { ...account, lastResult: result });
      changed = true;
    }
    return changed;
  }
}
