import { flagsText } from "../actions/account_flags.js";

/**
 * One credential of the pool, as the service tells of it.
 *
 * @typedef {Object} Account
 * @property {number} id
 * @property {string} accountSource
 * @property {string} family
 * @property {string} displayName masked by the service
 * @property {string} provider
 * @property {string} label
 * @property {string} compatName
 * @property {string} baseUrl
 * @property {string} fileName
 * @property {boolean | null} enabled null: the gateway does not say
 * @property {boolean} probeable
 * @property {string} switch what a status change writes
 * @property {string} switchReason why there is no status change
 * @property {boolean} deletable
 * @property {string} deleteReason
 * @property {Result | null} lastResult
 * @property {boolean} neverProbe runs leave it out
 * @property {boolean} managed automation may enable it, whoever disabled it
 */

/**
 * The judged probe of one account.
 *
 * @typedef {Object} Result
 * @property {number} seq
 * @property {number} run
 * @property {number} account
 * @property {string} accountSource
 * @property {string} family
 * @property {string} displayName
 * @property {string} provider
 * @property {string} baseUrl
 * @property {boolean | null} enabled as it was when probed
 * @property {string} verdict
 * @property {string} action
 * @property {string} reason
 * @property {number | null} status 0: no answer; null: no probe
 * @property {number | null} latencyMs
 * @property {{method: string, url: string, status: number, latencyMs: number, problem: string}[]} attempts
 * @property {string} preview
 * @property {Record<string, string>} headers
 * @property {number} at
 * @property {{name: string, pool: string, used: number | null, threshold: number | null, seconds: number | null,
 *     resetsAt: number | null}[]} windows of an OAuth file's quota, in percent
 * @property {number | null} resetsAt when a file that they stop is usable again
 */

/**
 * One line of the table. `account` is null where a run holds an account that is not in the pool any more.
 *
 * @typedef {Object} Row
 * @property {number} id the account's
 * @property {Account | null} account
 * @property {Result | null} result
 * @property {string} name
 * @property {string} provider
 * @property {string} family the type, of a file
 * @property {string} baseUrl
 * @property {boolean | null} enabled
 * @property {string} verdict empty: not inspected
 * @property {string} action
 * @property {string} reason
 * @property {number | null} status
 * @property {number | null} latencyMs
 * @property {string} text what the search looks through, in lower case
 */

/** Builds the lines of the table, and hands out the same object again as long as nothing about it has changed. */
export class Rows {
  /** @type {Map<number, Row>} */ #known = new Map();

  /**
   * The pool in view, each account with its last result.
   *
   * @param {Map<number, Account>} accounts
   */
  ofPool(accounts) {
    return this.#keep([...accounts.values()].map((account) => this.#row(account, account.lastResult)));
  }

  /**
   * The results of one run, each with its account as it is now.
   *
   * @param {Map<number, Result>} results
   * @param {Map<number, Account>} accounts
   */
  ofRun(results, accounts) {
    return this.#keep([...results.values()].map((result) => this.#row(accounts.get(result.account) ?? null, result)));
  }

  /** @param {Row[]} rows */
  #keep(rows) {
    this.#known = new Map(rows.map((row) => [row.id, row]));
    return rows;
  }

  /**
   * @param {Account | null} account
   * @param {Result | null} result
   */
  #row(account, result) {
    const known = this.#known.get(account?.id ?? result.account);
    return known && known.account === account && known.result === result ? known : rowOf(account, result);
  }
}

/**
 * @param {Account | null} account
 * @param {Result | null} result
 * @returns {Row}
 */
function rowOf(account, result) {
  const facts = account ?? result;
  const row = {
    id: account?.id ?? result.account,
    account,
    result,
    name: facts.displayName,
    provider: facts.provider,
    family: facts.family || (facts.accountSource === "oauth" ? facts.provider : ""),
    baseUrl: facts.baseUrl ?? "",
    enabled: facts.enabled,
    verdict: result?.verdict ?? "",
    action: result?.action ?? "",
    reason: result?.reason ?? "",
    status: result?.status ?? null,
    latencyMs: result?.latencyMs ?? null,
  };
  const seen = [row.name, row.provider, row.family, row.baseUrl, account?.fileName, account?.label,
    account?.compatName, flagsText(account), row.verdict, row.action, row.reason, row.status];
  return { ...row, text: seen.filter((part) => part !== null && part !== undefined).join(" ").toLowerCase() };
}
