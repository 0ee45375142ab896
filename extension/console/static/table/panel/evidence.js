import { flagSwitches } from "../../actions/account_flags.js";
import { switchRefusal } from "../../actions/change_plan.js";
import { element } from "../../dom.js";
import { formatActor, formatLatency, formatPercent, formatStatus, formatTime, plural } from "../../formatting.js";

/**
 * @import { DisabledByView } from "../../../_generated_types.js"
 * @import { Account, Result, Row } from "../rows.js"
 * @import { RowHandlers } from "../row_view.js"
 */

/**
 * Evidence of a status: requests, preview and headers of the response, facts of the account.
 *
 * @param {Row} row
 * @param {RowHandlers} handlers `offer` gives a remedy for this row, if there is one
 */
export function evidenceOf(row, { offer, onFlag }) {
  const { result, account } = row;
  const parts = [];
  if (result) {
    parts.push(section("Reason", ...reasonNodes(result, offer(row))));
    if (result.windows?.length) parts.push(section("Quota", windowsTable(result.windows, result.resetsAt)));
    if (!result.attempts) parts.push(section("Requests", element("p", { text: "Loading…" })));
    else if (result.attempts.length) parts.push(section("Requests", attemptsTable(result.attempts)));
    if (result.preview) parts.push(section("Response preview", element("pre", { text: result.preview })));
    const headers = Object.entries(result.headers ?? {});
    if (headers.length) parts.push(section("Response headers", facts(headers)));
  } else {
    parts.push(section("Reason", element("p", { text: "Not checked yet." })));
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
  const reason = /[.!?]$/.test(result.reason) ? result.reason : `${result.reason}.`;
  const text = `${reason} Checked ${formatTime(result.at)} in run ${result.run}.`;
  return [element("p", { text }), ...(remedy ? [remedy] : [])];
}

/** @param {NonNullable<Result["attempts"]>} attempts */
function attemptsTable(attempts) {
  const head = ["Request", "HTTP", "Latency", "Error"];
  return element("table", { class: "attempts" },
    element("thead", {},
      element("tr", {}, ...head.map((text) => element("th", { text, attributes: { scope: "col" } })))),
    element("tbody", {}, ...attempts.map((attempt) => element("tr", {},
      element("td", { class: "mono", text: `${attempt.method} ${attempt.url}` }),
      element("td", { text: formatStatus(attempt.status) }),
      element("td", { text: formatLatency(attempt.latencyMs) }),
      element("td", { text: attempt.problem || "–" })))));
}

/**
 * @param {NonNullable<Result["windows"]>} windows
 * @param {number | null} resetsAt
 */
function windowsTable(windows, resetsAt) {
  const head = ["Window", "Used", "Threshold", "Resets"];
  const table = element("table", { class: "attempts" },
    element("thead", {},
      element("tr", {}, ...head.map((text) => element("th", { text, attributes: { scope: "col" } })))),
    element("tbody", {}, ...windows.map(({ name, pool, used, threshold, resetsAt: end }) => element("tr", {},
      element("td", { text: `${pool} ${name}`.trim() }),
      element("td", { class: "used" }, ...quotaBar(used, threshold), formatPercent(used, "unknown")),
      element("td", { text: formatPercent(threshold, "none") }),
      element("td", { text: formatTime(end) })))));
  if (!resetsAt) return table;
  return element("div", {}, table, element("p", { text: `Usable again from ${formatTime(resetsAt)}.` }));
}

/**
 * Bar of the used share of a window, in another color from its threshold on; the text beside it says the same.
 *
 * @param {number | null} used percent
 * @param {number | null} threshold percent
 */
function quotaBar(used, threshold) {
  if (used === null) return [];
  const optimum = { optimum: 0, high: threshold ?? 100 };
  return [element("meter", { attributes: { min: 0, max: 100, value: used, ...optimum, "aria-hidden": "true" } })];
}

/**
 * @param {Account} account
 * @returns {[string, string][]}
 */
function accountFacts(account) {
  /** @type {[string, string][]} */
  const known = [
    ["Key", account.keyHint], ["Place", account.place],
    ["Provider", account.provider], ["Label", account.label], ["Instance", account.compatName],
    ["File", account.fileName], ["Base URL", account.baseUrl],
    ["Entries with this key", account.entries > 1 ? plural(account.entries, "entry", "entries") : ""],
    ["Cannot be enabled or disabled", switchRefusal(account)], ["Cannot be deleted", account.deleteReason],
    ["Disabled by", disabledBy(account.disabledBy)],
  ];
  return known.filter(([, value]) => value);
}

/** @param {DisabledByView | null} by */
function disabledBy(by) {
  if (!by) return "";
  return `${formatActor(by.actor)}, ${formatTime(by.at)}${by.reason ? `: ${by.reason}` : ""}`;
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
