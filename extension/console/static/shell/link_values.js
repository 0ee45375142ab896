/** Values of a link that a page cannot use: they are taken out of the address, and named. */

import { OUTCOMES, RECOMMENDATIONS, VERDICTS } from "../_generated_constants.js";
import { clipped } from "../formatting.js";
import { text } from "../language/catalogue.js";
import { COLUMNS } from "../table/columns.js";
import { STATE_FILTERS } from "../table/query.js";

/**
 * @import { QueryState } from "./query_state.js"
 * @import { PageName } from "./page_table.js"
 * @typedef {(value: string) => boolean} Check
 */

const LONGEST_SHOWN = 40;
/** Latest time of the calendar, in milliseconds. */
const LATEST = 8.64e15;

/** @type {Check} */
const isNumber = (value) => /^[1-9]\d{0,14}$/.test(value);
/** @type {Check} */
const isTime = (value) => /^\d{1,16}$/.test(value) && Number(value) <= LATEST;
/** @type {Check} */
const isSwitch = (value) => value === "true" || value === "false";
/** @type {(most: number) => Check} */
const isShort = (most) => (value) => value.length <= most;
/** @type {(tokens: readonly string[]) => Check} */
const isOneOf = (tokens) => (value) => tokens.includes(value);
/** @type {Check} */
const isOutcome = (value) => Object.hasOwn(OUTCOMES, value);
/** @type {Check} */
const isVerdict = (value) => value === "none" || Object.hasOwn(VERDICTS, value);
/** Values of which a link may name several: the known ones among them are kept. */
const LISTS = new Set([isOutcome, isVerdict]);
/** @type {Check} */
const isStatus = (value) => /^(?:\d{1,3}|none)$/.test(value);
/** @type {Check} */
const isOrder = (value) => COLUMNS.some(({ id, sortable }) => sortable && (value === id || value === `${id}.desc`));

/** @type {Partial<Record<PageName, Record<string, Check>>>} */
const CHECKS = {
  inspection: {
    source: isOneOf(["api_key", "oauth"]), run: isNumber, account: isNumber, provider: isShort(200), q: isShort(200),
    verdict: isVerdict, action: isOneOf(RECOMMENDATIONS), state: isOneOf(STATE_FILTERS), status: isStatus,
    onHold: isSwitch, sort: isOrder, host: isShort(253), family: isShort(100),
  },
  prices: { search: isShort(200) },
  activity: {
    batch: isNumber, account: isNumber, actor: isShort(200), since: isTime,
    action: isOneOf(["disable", "enable", "delete", "restore"]),
    cause: isOneOf(["request", "run", "apply", "release", "undo"]), result: isOutcome,
  },
};

/** Names of values that a page knows; a link from one page to another may carry more than the other needs. */
const NAMES = new Set(Object.values(CHECKS).flatMap((checks) => Object.keys(checks)));

/**
 * Take the values out of the address that a page cannot use, and those of names that no page knows.
 *
 * @param {PageName} name
 * @param {QueryState} query
 * @param {{source: string, families: readonly string[]}} [keys] source of accounts in view, families of API keys
 * @returns {[name: string, value: string][]} what was taken out
 */
export function takeOutUnusable(name, query, keys) {
  const checks = CHECKS[name] ?? {};
  /** @type {Set<string>} */
  const odd = new Set(Object.keys(checks).filter((key) => unusable(query.get(key), checks[key])));
  if (CHECKS[name]) for (const key of query.all().keys()) if (!NAMES.has(key)) odd.add(key);
  const hasKeys = keys && (query.get("source") || keys.source) === "api_key";
  if (hasKeys && query.get("family") && !keys.families.includes(query.get("family"))) odd.add("family");
  const taken = [...odd].map((key) => /** @type {[string, string]} */ (
    [key, unusable(query.get(key), checks[key]) || query.get(key)]));
  if (taken.length) query.set(Object.fromEntries(taken.map(([key]) => [key, known(query.get(key), checks[key])])));
  return taken.filter(([, value]) => value);
}

/**
 * Return what of a value a page cannot use.
 *
 * @param {string} value
 * @param {Check | undefined} check
 */
function unusable(value, check) {
  if (!value || !check) return "";
  return (LISTS.has(check) ? value.split(",") : [value]).filter((each) => !check(each)).join(",");
}

/**
 * Return the known ones of several values.
 *
 * @param {string} value
 * @param {Check | undefined} check
 */
function known(value, check) {
  return check && LISTS.has(check) ? value.split(",").filter(check).join(",") : "";
}

/**
 * Name values that were taken out of a link.
 *
 * @param {[name: string, value: string][]} odd
 */
export function unusableText(odd) {
  return text("shell.link_values", { values: odd.map(([name, value]) =>
    `${name}=${clipped(value, LONGEST_SHOWN)}`).join(", ") });
}
