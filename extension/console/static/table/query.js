import { RECOMMENDATIONS } from "../_generated_constants.js";

/**
 * Filters, order and pages of the rows. Pure.
 *
 * @import { DataColumn } from "./columns.js"
 * @typedef {import("./rows.js").Row} Row
 * @typedef {{column: DataColumn, descending: boolean}} Order
 * @typedef {(one: Row, other: Row) => number} Comparison
 */

export const ROWS_A_PAGE = 200;

const COLLATOR = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
const ACTIONS = [...RECOMMENDATIONS, ""];

/**
 * @param {Row[]} rows
 * @param {{search: string, verdicts: Set<string>, onHold?: boolean}} query an empty set of verdicts: all of them
 */
export function filterRows(rows, { search, verdicts, onHold = false }) {
  const terms = search.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) =>
    (verdicts.size === 0 || verdicts.has(row.verdict)) && (!onHold || isOnHold(row))
    && terms.every((term) => row.text.includes(term)));
}

/**
 * Say whether the circuit breaker stopped the change that the last check of a row recommends.
 *
 * @param {Row} row
 */
export function isOnHold({ account }) {
  return account?.onHold === true;
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
 * @param {Row[]} rows
 * @param {Order} order
 * @param {string[]} verdicts tokens in the service's order
 */
export function sortRows(rows, { column, descending }, verdicts) {
  const compare = comparisons(verdicts)[column];
  const sign = descending ? -1 : 1;
  return [...rows].sort((one, other) => sign * compare(one, other) || COLLATOR.compare(one.name, other.name));
}

/**
 * @param {Row[]} rows
 * @param {number} page counted from 0; one beyond the end gives the last
 */
export function pageOf(rows, page) {
  const pages = Math.max(1, Math.ceil(rows.length / ROWS_A_PAGE));
  const at = Math.min(Math.max(0, page), pages - 1);
  const first = at * ROWS_A_PAGE;
  return { page: at, pages, first, rows: rows.slice(first, first + ROWS_A_PAGE) };
}

/**
 * Comparisons of two rows by column. Unknown values come last.
 *
 * @param {string[]} verdicts
 * @returns {Record<DataColumn, Comparison>}
 */
function comparisons(verdicts) {
  return {
    name: byText("name"),
    family: byText("family"),
    baseUrl: byText("baseUrl"),
    reason: byText("reason"),
    status: byNumber("status"),
    latencyMs: byNumber("latencyMs"),
    enabled: byRank([true, false], "enabled"),
    verdict: byRank(verdicts, "verdict"),
    action: byRank(ACTIONS, "action"),
  };
}

/**
 * @param {"name" | "family" | "baseUrl" | "reason"} name
 * @returns {Comparison}
 */
function byText(name) {
  return (one, other) => COLLATOR.compare(one[name], other[name]);
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
 * @param {"enabled" | "verdict" | "action"} name
 * @returns {Comparison}
 */
function byRank(list, name) {
  return (one, other) => placeIn(list, one[name]) - placeIn(list, other[name]);
}

/**
 * @param {unknown[]} list
 * @param {unknown} value
 */
function placeIn(list, value) {
  const at = list.indexOf(value);
  return at < 0 ? list.length : at;
}
