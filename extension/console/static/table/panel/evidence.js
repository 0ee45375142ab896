import { WITHHELD_PREVIEW } from "../../_generated_constants.js";
import { flagSwitches } from "../../actions/account_flags.js";
import { switchRefusal } from "../../actions/change_plan.js";
import { element } from "../../dom.js";
import { clipped, formatLatency, formatPercent, formatStatus, formatTime } from "../../formatting.js";
import { text as phrase } from "../../language/catalogue.js";
import { windowWords } from "../../language/quota_windows.js";
import { problemText, reasonsText } from "../../language/reasons.js";
import { address } from "../../layout/address.js";
import { disabledByText } from "./disabled_by.js";
import { holdNodes } from "./hold.js";

const LONGEST_FACT = 400;
/** Longest text that a pointer shows which rests on a clipped fact. */
const LONGEST_WHOLE = 2_000;
const IS_URL = /^\w+:\/\//;

/**
 * @import { Account, Result, Row } from "../rows.js"
 * @import { RowHandlers } from "../row_view.js"
 */

/**
 * Evidence of a status: requests, preview and headers of the response, facts of the account.
 *
 * @param {Row} row
 * @param {RowHandlers} handlers `offer` gives a remedy for this row, if there is one
 */
export function evidenceOf(row, { offer, onFlag, readHold }) {
  const { result, account } = row;
  const hold = holdNodes(row, readHold);
  const parts = hold.length ? [section(phrase("evidence.on_hold"), ...hold)] : [];
  if (result) {
    parts.push(section(phrase("evidence.reason"), ...reasonNodes(result, offer(row))));
    if (result.windows?.length) {
      parts.push(section(phrase("evidence.quota"), windowsTable(result.windows, result.resetsAt)));
    }
    const requests = result.attempts
      ? result.attempts.length && attemptsTable(result.attempts) : element("p", { text: phrase("evidence.loading") });
    if (requests) parts.push(section(phrase("evidence.requests"), requests));
    if (result.preview) {
      const shown = result.preview === WITHHELD_PREVIEW ? phrase("evidence.withheld") : result.preview;
      parts.push(section(phrase("evidence.preview"), element("pre", { text: shown })));
    }
    const headers = Object.entries(result.headers ?? {});
    if (headers.length) parts.push(section(phrase("evidence.headers"), facts(headers)));
  } else {
    parts.push(section(phrase("evidence.reason"), element("p", { text: phrase("evidence.not_checked") })));
  }
  if (account) {
    parts.push(section(phrase("evidence.account"), facts(accountFacts(account)),
      flagSwitches(account, (flag, on) => onFlag(account.id, flag, on))));
  } else {
    parts.push(section(phrase("evidence.account"), element("p", { text: phrase("evidence.gone") })));
  }
  return element("div", { class: "evidence" }, ...parts);
}

/**
 * @param {Result} result
 * @param {HTMLElement | null} remedy
 */
function reasonNodes(result, remedy) {
  const told = reasonsText(result.reasons, result.reason);
  const reason = /[.!?。]$/.test(told) ? told : `${told}.`;
  const said = phrase("evidence.checked", { reason, time: formatTime(result.at), run: String(result.run) });
  return [element("p", { text: said }), ...(remedy ? [remedy] : [])];
}

/** @param {NonNullable<Result["attempts"]>} attempts */
function attemptsTable(attempts) {
  const head = [
    phrase("evidence.request"), phrase("evidence.http"), phrase("evidence.latency"), phrase("evidence.error"),
  ];
  return element("table", { class: "attempts" },
    element("thead", {},
      element("tr", {}, ...head.map((text) => element("th", { text, attributes: { scope: "col" } })))),
    element("tbody", {}, ...attempts.map((attempt) => element("tr", {},
      element("td", { class: "mono request" }, `${attempt.method} `, address(attempt.url)),
      element("td", { text: formatStatus(attempt.status) }),
      element("td", { text: formatLatency(attempt.latencyMs) }),
      element("td", { text: problemText(attempt.problem) || "–" })))));
}

/**
 * @param {NonNullable<Result["windows"]>} windows
 * @param {number | null} resetsAt
 */
function windowsTable(windows, resetsAt) {
  const head = [
    phrase("evidence.window"), phrase("evidence.used"), phrase("evidence.threshold"), phrase("evidence.resets"),
  ];
  const table = element("table", { class: "attempts" },
    element("thead", {},
      element("tr", {}, ...head.map((text) => element("th", { text, attributes: { scope: "col" } })))),
    element("tbody", {}, ...windows.map(({ name, pool, used, threshold, resetsAt: end }) => element("tr", {},
      element("td", { text: windowWords(`${pool} ${name}`.trim()) }),
      element("td", { class: "used" }, ...quotaBar(used, threshold), formatPercent(used, phrase("evidence.unknown"))),
      element("td", { text: formatPercent(threshold, phrase("evidence.none")) }),
      element("td", { text: formatTime(end) })))));
  if (!resetsAt) return table;
  const from = phrase("evidence.usable_from", { time: formatTime(resetsAt) });
  return element("div", {}, table, element("p", { text: from }));
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
 * @returns {[name: string, value: string, whole: string][]}
 */
function accountFacts(account) {
  /** @type {[name: string, value: string, most?: number][]} */
  const known = [
    [phrase("fact.key"), account.keyHint],
    [phrase("fact.place"), account.place === account.fileName ? "" : account.place],
    [phrase("fact.provider"), account.provider], [phrase("fact.label"), account.label],
    [phrase("fact.instance"), account.compatName],
    [phrase("fact.file"), account.fileName], [phrase("fact.base_url"), account.baseUrl, LONGEST_FACT],
    [phrase("fact.entries"), account.entries > 1 ? phrase("fact.entry_count", { n: account.entries }) : ""],
    [phrase("fact.no_switch"), switchRefusal(account), LONGEST_FACT],
    [phrase("fact.no_delete"), account.deletable ? "" : phrase("bulk.keys_kept")],
    [phrase("fact.disabled_by"), disabledByText(account.disabledBy), LONGEST_FACT],
  ];
  return known.filter(([, value]) => value)
    .map(([label, value, most]) => [label, clipped(value, most), clipped(value, LONGEST_WHOLE)]);
}

/**
 * @param {string} title
 * @param {...Node} children
 */
function section(title, ...children) {
  return element("section", {}, element("h3", { text: title }), ...children);
}

/** @param {[name: string, value: string, whole?: string][]} pairs */
function facts(pairs) {
  return element("dl", { class: "facts" }, ...pairs.map(([name, value, whole = value]) => element("div", {},
    element("dt", { text: name }),
    element("dd", { attributes: { title: whole === value ? undefined : whole } },
      IS_URL.test(value) ? address(value) : value))));
}
