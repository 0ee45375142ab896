import { OLD_RESULT_MS, RECOMMENDATIONS } from "../_generated_constants.js";
import { COLUMNS } from "./columns.js";

/**
 * Filters and order of the rows. Pure.
 *
 * @import { DataColumn } from "./columns.js"
 * @typedef {import("./rows.js").Row} Row
 * @typedef {{column: DataColumn, descending: boolean}} Order
 * @typedef {(one: Row, other: Row) => number} Comparison
 * @typedef {{search: string, verdicts: Set<string>, action: string, state: string, status: string,
 *   host: string, onHold: boolean}} Filters
 */

/** @type {Filters} */
export const NO_FILTERS = {
  search: "", verdicts: new Set(), action: "", state: "", status: "", host: "", onHold: false,
};

const ACTIONS = [...RECOMMENDATIONS, ""];

/** @type {(row: Row) => boolean} */
const isInChecks = (row) => row.enabled !== false && !row.account?.neverProbe;

/** @type {Record<string, (row: Row, now: number) => boolean | undefined>} */
const STATES = {
  enabled: (row) => row.enabled === true,
  disabled: (row) => row.enabled === false,
  in_checks: isInChecks,
  old: (row, now) => isInChecks(row) && row.result !== null && row.result.at < now - OLD_RESULT_MS,
  excluded: (row) => row.account?.neverProbe,
  managed: (row) => row.account?.managed,
  not_on_hold: (row) => !isOnHold(row),
};

/** States that rows can be filtered by. */
export const STATE_FILTERS = /** @type {const} */ ([
  "enabled", "disabled", "in_checks", "old", "excluded", "managed", "not_on_hold",
]);

/**
 * Return the condition of the filters on a row; an empty one selects all. What is on hold is a group of its own, and no
 * recommendation unless that group is chosen.
 *
 * @param {Filters} filters
 * @param {number} now
 * @returns {(row: Row) => boolean}
 */
export function conditionOf({ search, verdicts, action, state, status, host, onHold }, now) {
  const terms = search.toLowerCase().split(/\s+/).filter(Boolean);
  /** @type {((row: Row) => unknown)[]} */
  const conditions = [];
  if (onHold) conditions.push(isOnHold);
  if (verdicts.size) conditions.push((row) => verdicts.has(row.verdict));
  if (action) conditions.push((row) => row.action === action);
  if (Object.hasOwn(STATES, state)) conditions.push((row) => STATES[state](row, now));
  if (status) conditions.push((row) => String(row.status ?? "none") === status);
  if (host) conditions.push((row) => row.host === host);
  if (terms.length) conditions.push((row) => terms.every((term) => row.text.includes(term)));
  return (row) => conditions.every((holds) => holds(row));
}

/**
 * Return whether the circuit breaker stopped the change that the check of a row recommends.
 *
 * @param {Row} row
 */
export function isOnHold({ onHold }) {
  return onHold;
}

/**
 * Return whether the change of a row is on hold now; a run in view may have put it on hold that was released since.
 *
 * @param {Row} row
 */
export function isStillOnHold({ account }) {
  return account?.onHold === true;
}

/**
 * Count the rows by what they have; the most frequent first.
 *
 * @param {Row[]} rows
 * @param {(row: Row) => string} of empty: not counted
 */
export function countBy(rows, of) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const row of rows) {
    const value = of(row);
    if (value) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].sort(([, one], [, other]) => other - one);
}

/**
 * @param {Row[]} rows
 * @returns {Map<string, number>} rows by verdict; the empty verdict counts those not inspected
 */
export function countVerdicts(rows) {
  const counts = new Map();
  for (const row of rows) counts.set(row.verdict, (counts.get(row.verdict) ?? 0) + 1);
  return counts;
}

/**
 * Return the comparison of an order. Unknown values come last, equal rows keep the order of their names.
 *
 * @param {Order} order
 * @param {string[]} verdicts tokens in the order of the column
 * @returns {Comparison}
 */
export function comparisonOf({ column, descending }, verdicts) {
  const compare = comparisons(verdicts)[column];
  const sign = descending ? -1 : 1;
  return (one, other) => sign * compare(one, other) || byKey(one.sortName, other.sortName) || one.id - other.id;
}

/**
 * Parse an order: a column, with `.desc` when it is descending. An order by something else is that by status.
 *
 * @param {string} written
 * @returns {Order}
 */
export function orderOf(written) {
  const [column, direction] = written.split(".");
  const known = COLUMNS.find(({ id, sortable }) => sortable && id === column);
  if (!known) return { column: "verdict", descending: false };
  return { column: /** @type {DataColumn} */ (known.id), descending: direction === "desc" };
}

/**
 * Return an order as the service takes it. Its order of statuses begins with the healthy ones.
 *
 * @param {Order} order
 */
export function readOrderOf({ column, descending }) {
  const isDescending = column === "verdict" ? !descending : descending;
  return { sort: column === "name" ? "displayName" : column, descending: String(isDescending) };
}

/**
 * Return a key that sorts like the name: in any case, numbers by their value. Comparing keys is ten times as fast as a
 * collator.
 *
 * @param {string} name
 */
export function sortKey(name) {
  return name.slice(0, 200).toLowerCase().replace(/\d+/g, (digits) => digits.padStart(12, "0"));
}

/**
 * @param {string} one
 * @param {string} other
 */
function byKey(one, other) {
  return one < other ? -1 : Number(one > other);
}

/**
 * Comparisons of two rows by column.
 *
 * @param {string[]} verdicts
 * @returns {Record<DataColumn, Comparison>}
 */
function comparisons(verdicts) {
  const ranks = new Map(verdicts.map((token, at) => [token, at]));
  return {
    name: (one, other) => byKey(one.sortName, other.sortName),
    family: (one, other) => byKey(one.family, other.family),
    baseUrl: (one, other) => byKey(one.baseUrl, other.baseUrl),
    reason: (one, other) => byKey(one.reason, other.reason),
    at: (one, other) => (one.result?.at ?? Infinity) - (other.result?.at ?? Infinity) || 0,
    status: byNumber("status"),
    latencyMs: byNumber("latencyMs"),
    enabled: (one, other) => placeIn([true, false], one.enabled) - placeIn([true, false], other.enabled),
    verdict: (one, other) => (ranks.get(one.verdict) ?? ranks.size) - (ranks.get(other.verdict) ?? ranks.size),
    action: (one, other) => placeIn(ACTIONS, one.action) - placeIn(ACTIONS, other.action),
  };
}

/**
 * @param {"status" | "latencyMs"} name
 * @returns {Comparison}
 */
function byNumber(name) {
  return (one, other) => (one[name] ?? Infinity) - (other[name] ?? Infinity) || 0;
}

/**
 * @param {unknown[]} list
 * @param {unknown} value
 */
function placeIn(list, value) {
  const at = list.indexOf(value);
  return at < 0 ? list.length : at;
}
