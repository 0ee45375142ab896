/** Selection of usage in the address of a page: period, dimension and filters. */

import { element } from "../dom.js";
import { formatTime } from "../formatting.js";
import { text } from "../language/catalogue.js";
import { choice } from "../layout/tile.js";
import { periodName, periodOf, PERIODS } from "./periods.js";

/** @import { QueryState } from "../shell/query_state.js" */
/** @import { Period } from "./periods.js" */

/** Filters by name, which the answers give. */
export const FILTERS = /** @type {const} */ (["model", "account", "client", "provider", "failure"]);
/** Dimensions that usage can be grouped by. */
export const DIMENSIONS = /** @type {const} */ (["none", "model", "account", "client", "provider", "failure"]);

/** @typedef {typeof DIMENSIONS[number]} Dimension */

/**
 * Return the filters of an address as the API takes them.
 *
 * @param {QueryState} query
 * @returns {Record<string, string>}
 */
export function filtersOf(query) {
  const found = FILTERS.flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : []));
  if (query.get("failed") === "true" || query.get("failed") === "false") found.push(["failed", query.get("failed")]);
  return Object.fromEntries(found);
}

/**
 * Return the period of an address: its own beginning and end, or a named one.
 *
 * @param {QueryState} query
 * @param {number} now
 * @returns {Period}
 */
export function chosenPeriod(query, now) {
  const [start, end] = [Number(query.get("start")), Number(query.get("end"))];
  if (start > 0 && end > start) return { start, end };
  return periodOf(periodName(query.get("period")), now);
}

/**
 * Build the choice of a period.
 *
 * @param {QueryState} query
 * @param {() => void} onChange
 */
export function periodChoice(query, onChange) {
  const own = query.get("start") && query.get("end");
  /** @type {[string, string][]} */
  const options = /** @type {(keyof typeof PERIODS)[]} */ (Object.keys(PERIODS)).map((name) => [name,
    text(`usage_period.${name}`)]);
  if (own) options.unshift(["", text("usage.own_period")]);
  return choice("period", text("usage.period"), options, own ? "" : periodName(query.get("period")), (period) => {
    query.set({ period, start: "", end: "" }, { push: true });
    onChange();
  });
}

/**
 * Describe period and filters for paper, on which their controls are not printed.
 *
 * @param {QueryState} query
 * @param {number} now
 */
export function scopeText(query, now) {
  const { start, end } = chosenPeriod(query, now);
  const own = Number(query.get("start")) === start;
  const period = own ? text("usage.own_period") : text(`usage_period.${periodName(query.get("period"))}`);
  const filters = FILTERS.filter((name) => query.get(name)).map((name) =>
    text("usage.filter_is", { name: text(`usage_by.${name}`), value: query.get(name) }));
  const { failed } = filtersOf(query);
  if (failed) filters.push(text(failed === "true" ? "usage.only_failed" : "usage.only_good"));
  return [period, text("usage.from_to", { start: formatTime(start), end: formatTime(end) }), ...filters].join(" · ");
}

/**
 * Build a list of the filters in force, each with a button that removes it.
 *
 * @param {QueryState} query
 * @param {() => void} onChange
 */
export function filterChips(query, onChange) {
  const names = [...FILTERS, "failed"].filter((name) => query.get(name));
  return element("div", { class: "chips", attributes: { hidden: names.length === 0 } }, ...names.map((name) => {
    const said = name === "failed"
      ? text(query.get(name) === "true" ? "usage.only_failed" : "usage.only_good") : query.get(name);
    return element("button", {
      class: "chip",
      attributes: { id: `chip-${name}`, type: "button",
        "aria-label": text("usage.remove_filter", { name: said.slice(0, 80) }) },
      on: {
        click: () => {
          query.set({ [name]: "" }, { push: true });
          onChange();
        },
      },
    }, element("bdi", { class: "clamped", text: said }), " ×");
  }));
}

/**
 * Return how a name is shown: the label of an account, the alias of a client key, or a word for no name.
 *
 * @param {Dimension} by
 * @param {ReadonlyMap<string, string>} aliases by fingerprint
 * @returns {(name: string, label?: string) => string}
 */
export function shownNames(by, aliases) {
  return (name, label = "") => {
    if (by === "client") return aliases.get(name) ?? (name ? `${name.slice(0, 8)}…` : text("usage.no_key"));
    if (by === "failure" && !name) return text("usage.success");
    return label || name || text("usage.no_name");
  };
}
