import { DISABLED_REASONS } from "../_generated_constants.js";
import { flagsText } from "../actions/account_flags.js";
import { tokenText } from "../language/catalogue.js";
import { reasonsText } from "../language/reasons.js";
import { mapInSlices } from "../scheduling/slices.js";
import { sortKey } from "./query.js";

/**
 * @import { Action, Verdict } from "../../_generated_types.js"
 * @typedef {import("../../_generated_types.js").ResultView} FullResult
 * @typedef {import("../../_generated_types.js").SlimResultView & Partial<FullResult>} Result evidence may be absent
 * @typedef {import("../../_generated_types.js").SlimAccountView} SlimAccount
 * @typedef {Omit<SlimAccount, "lastResult"> & {lastResult: Result | null}} Account
 * @typedef {{action: Action, onHold: boolean}} Found
 */

/**
 * Row of the table. `account` is null when the account of a result is no longer in the pool.
 *
 * @typedef {object} Row
 * @property {number} id the account's
 * @property {Account | null} account
 * @property {Result | null} result
 * @property {string} name
 * @property {string} keyHint masked key, empty for a file
 * @property {string} place place in the configuration, empty for a file
 * @property {string} provider
 * @property {string} family the type, of a file
 * @property {string} baseUrl
 * @property {boolean | null} enabled
 * @property {Verdict | ""} verdict empty: not inspected
 * @property {Action | ""} action
 * @property {string} reason
 * @property {number | null} status
 * @property {number | null} latencyMs
 * @property {string} host of the base URL, or the vendor without one
 * @property {boolean} onHold whether the change that the result recommends was put on hold; in the pool, whether it is
 * @property {string} sortName key that sorts like the name
 * @property {string} text searchable text, in lower case; made when it is first searched
 */

/** Builds the rows of the table and returns the same object for an unchanged row. */
export class Rows {
  /** @type {Map<number, Row>} */ #known = new Map();
  /** @type {WeakSet<Row>} */ #ofRun = new WeakSet();

  /**
   * Return the rows of the pool in view, each account with its last result.
   *
   * @param {Map<number, Account>} accounts
   */
  ofPool(accounts) {
    return this.#keep([...accounts.values()].map((account) => this.#ofAccount(account)));
  }

  /**
   * Return the same rows as `ofPool`, made in slices.
   *
   * @param {Map<number, Account>} accounts
   * @param {import("../scheduling/slices.js").Slices} slices
   */
  async ofPoolInSlices(accounts, slices) {
    return this.#keep(await mapInSlices([...accounts.values()], (account) => this.#ofAccount(account), slices));
  }

  /**
   * Return the rows of a run: each result with what it recommended, and its account as it is now.
   *
   * @param {Map<number, FullResult>} results
   * @param {Map<number, Account>} accounts
   * @param {ReadonlySet<number>} held accounts whose change the run put on hold
   */
  ofRun(results, accounts, held) {
    return this.#keep([...results.values()].map((result) => {
      const account = accounts.get(result.account) ?? null;
      const found = { action: result.action, onHold: held.has(result.account) };
      return this.#row(result.account, account ?? result, account, result, found);
    }));
  }

  /** @param {Account} account */
  #ofAccount(account) {
    return this.#row(account.id, account, account, account.lastResult);
  }

  /** @param {Row[]} rows */
  #keep(rows) {
    this.#known = new Map(rows.map((row) => [row.id, row]));
    return rows;
  }

  /**
   * @param {number} id
   * @param {Account | FullResult} facts
   * @param {Account | null} account
   * @param {Result | null} result
   * @param {Found} [found]
   */
  #row(id, facts, account, result, found = undefined) {
    const known = this.#known.get(id);
    const isSame = known && known.account === account && known.result === result
      && this.#ofRun.has(known) === Boolean(found) && (!found || known.onHold === found.onHold);
    if (isSame) return known;
    const row = rowOf(id, facts, account, result, found);
    if (found) this.#ofRun.add(row);
    return row;
  }
}

/**
 * Return whether what is on hold in a row still is: an account of an old run may be on hold for a newer one.
 *
 * @param {Pick<Row, "account" | "result" | "onHold">} row
 */
export function isHeldNow({ account, result, onHold }) {
  return account?.onHold === true && (!onHold || account.lastResult?.run === result?.run);
}

/** Sentences of the service that hold only as long as an account is disabled, by code. */
const STALE = new Map(Object.entries(DISABLED_REASONS));

/** State of an account that a recommended action leads to. */
const WANTED = new Map([["disable", false], ["enable", true]]);

/**
 * Recommendation and reason as far as they hold for the account as it is now: what is done is not recommended any more,
 * what was undone is again, and words about a disabled account are left out where it is enabled.
 *
 * @param {Result | null} result
 * @param {boolean | null} enabled
 * @returns {{action: Action | "", reason: string}}
 */
function adviceNow(result, enabled) {
  if (!result) return { action: "", reason: "" };
  const { action, reason, reasons } = result;
  const stale = enabled === true
    ? reasons.flatMap(({ code }) => STALE.get(code) ?? []) : [];
  const valid = reasons.filter(({ code }) => enabled !== true || !STALE.has(code));
  const isUndone = enabled === true && reasons.some(({ code }) => code === "stays_disabled");
  const isDone = enabled !== null && WANTED.get(action) === enabled;
  return {
    action: isUndone ? "disable" : isDone ? "keep" : action,
    reason: reasonsText(valid, stale.reduce((text, sentence) => text.replace(sentence, "").trim(), reason)),
  };
}

/** @type {Pick<Row, "verdict" | "action" | "reason" | "status" | "latencyMs">} */
const NOT_INSPECTED = { verdict: "", action: "", reason: "", status: null, latencyMs: null };

/**
 * @param {number} id
 * @param {Account | FullResult} facts
 * @param {Account | null} account
 * @param {Result | null} result
 * @param {Found} [found] what a run made of it, which later changes leave as it was
 * @returns {Row}
 */
function rowOf(id, facts, account, result, found = undefined) {
  const { displayName: name, provider, baseUrl, enabled, accountSource } = facts;
  // Rows of an old run carry no hint of their own; the account as it is now has one.
  const keyHint = facts.keyHint || account?.keyHint || "";
  const place = facts.place || account?.place || "";
  const { verdict, status, latencyMs } = result ?? NOT_INSPECTED;
  const { action, reason } = { ...adviceNow(result, enabled), ...(found ? { action: found.action } : {}) };
  const family = facts.family || (accountSource === "oauth" ? provider : "");
  return {
    id, account, result, name, keyHint, place, provider, family, baseUrl, enabled, verdict, action, reason, status,
    latencyMs, host: hostOf(baseUrl, provider), sortName: sortKey(name),
    onHold: found?.onHold ?? account?.onHold === true,
    get text() {
      const seen = [name, provider, family, baseUrl, account?.fileName, account?.label, account?.compatName, keyHint,
        place, flagsText(account), verdict && tokenText("status", verdict), action, reason, status];
      const text = seen.filter((part) => part !== null && part !== undefined).join(" ").toLowerCase();
      Object.defineProperty(this, "text", { value: text });
      return text;
    },
  };
}

/**
 * Return the host of a base URL, or the vendor where there is none, as the service groups accounts by it.
 *
 * @param {string} baseUrl
 * @param {string} provider
 */
function hostOf(baseUrl, provider) {
  return (/^[a-z][a-z0-9+.-]*:\/\/([^/?#]+)/i.exec(baseUrl)?.[1] ?? provider).toLowerCase();
}
