import { flagSwitches } from "../actions/account_flags.js";
import { switchRefusal } from "../actions/change_plan.js";
import { element } from "../dom.js";
import { formatLatency, formatPercent, formatStatus, formatTime, plural } from "../formatting.js";

/**
 * @import { DisabledByView } from "../../_generated_types.js"
 * @import { Account, Result, Row } from "./rows.js"
 * @import { RowHandlers } from "./row_view.js"
 */

/**
 * What a verdict rests on: the requests sent, the answer's preview and headers, and what is known of the account.
 *
 * @param {Row} row
 * @param {RowHandlers} handlers `offer` gives a remedy for this row, if there is one
 */
export function evidenceOf(row, { offer, onFlag }) {
  const { result, account } = row;
  const parts = [];
  if (result) {
    parts.push(section("Why", ...reasonNodes(result, offer(row))));
    if (result.windows?.length) parts.push(section("Quota", windowsTable(result)));
    if (result.attempts.length) parts.push(section("Requests", attemptsTable(result.attempts)));
    if (result.preview) parts.push(section("Answer, shortened", element("pre", { text: result.preview })));
    const headers = Object.entries(result.headers ?? {});
    if (headers.length) parts.push(section("Headers", facts(headers)));
  } else {
    parts.push(section("Why", element("p", { text: "Not inspected yet." })));
  }
  if (account) {
    parts.push(section("Account", facts(accountFacts(account)),
      flagSwitches(account, (flag, on) => onFlag(account.id, flag, on))));
  } else {
    parts.push(section("Account", element("p", { text: "No longer in the pool." })));
  }
  return element("div", { class: "evidence" }, ...parts);
}

/**
 * @param {Result} result
 * @param {HTMLElement | null} remedy
 */
function reasonNodes(result, remedy) {
  const text = `${result.reason} Inspected ${formatTime(result.at)} in run ${result.run}.`;
  return [element("p", { text: text.replace(/([^.!?]) Inspected/, "$1. Inspected") }), ...(remedy ? [remedy] : [])];
}

/** @param {Result["attempts"]} attempts */
function attemptsTable(attempts) {
  const head = ["Request", "HTTP", "Latency", "Problem"];
  return element("table", { class: "attempts" },
    element("thead", {},
      element("tr", {}, ...head.map((text) => element("th", { text, attributes: { scope: "col" } })))),
    element("tbody", {}, ...attempts.map((attempt) => element("tr", {},
      element("td", { class: "mono", text: `${attempt.method} ${attempt.url}` }),
      element("td", { text: formatStatus(attempt.status) }),
      element("td", { text: formatLatency(attempt.latencyMs) }),
      element("td", { text: attempt.problem || "–" })))));
}

/** @param {Result} result */
function windowsTable({ windows, resetsAt }) {
  const head = ["Window", "Used", "Counts as used up from", "Resets"];
  const table = element("table", { class: "attempts" },
    element("thead", {},
      element("tr", {}, ...head.map((text) => element("th", { text, attributes: { scope: "col" } })))),
    element("tbody", {}, ...windows.map(({ name, pool, used, threshold, resetsAt: end }) => element("tr", {},
      element("td", { text: `${pool} ${name}`.trim() }),
      element("td", { text: formatPercent(used, "not told") }),
      element("td", { text: formatPercent(threshold, "stops nothing") }),
      element("td", { text: formatTime(end) })))));
  if (!resetsAt) return table;
  return element("div", {}, table, element("p", { text: `The account is usable again from ${formatTime(resetsAt)}.` }));
}

/**
 * @param {Account} account
 * @returns {[string, string][]}
 */
function accountFacts(account) {
  /** @type {[string, string][]} */
  const known = [
    ["Provider", account.provider], ["Label", account.label], ["Instance", account.compatName],
    ["File", account.fileName], ["Base address", account.baseUrl],
    ["Places in the configuration", account.entries > 1 ? plural(account.entries, "entry", "entries") : ""],
    ["Cannot be switched", switchRefusal(account)], ["Cannot be deleted", account.deleteReason],
    ["Disabled by", disabledBy(account.disabledBy)],
  ];
  return known.filter(([, value]) => value);
}

/** @param {DisabledByView | null} who */
function disabledBy(who) {
  if (!who) return "";
  return `${who.actor}, ${formatTime(who.at)}${who.reason ? `: ${who.reason}` : ""}`;
}

/**
 * @param {string} title
 * @param {...Node} children
 */
function section(title, ...children) {
  return element("section", {}, element("h3", { text: title }), ...children);
}

/** @param {[string, string][]} pairs */
function facts(pairs) {
  return element("dl", { class: "facts" }, ...pairs.map(([name, value]) =>
    element("div", {}, element("dt", { text: name }), element("dd", { text: value }))));
}
