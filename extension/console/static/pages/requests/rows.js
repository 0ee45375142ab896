/** Rows of the list of requests. */

import { element } from "../../dom.js";
import { clipped } from "../../formatting.js";
import { text } from "../../language/catalogue.js";
import { actsOnce } from "../../layout/once.js";
import { formatMs, formatUsd, formatWhole, UNKNOWN } from "../../usage/amounts.js";

/** @import { UsageView } from "../../../_generated_types.js" */

const COLUMNS = /** @type {const} */ (["time", "status", "model", "account", "client", "tokens", "cost", "latency",
  "first"]);
/** Columns of numbers, at the right. */
const NUMBERS = new Set(["tokens", "cost", "latency", "first"]);

/** Build the head of the table. */
export function requestHead() {
  return element("thead", {}, element("tr", {}, ...COLUMNS.map((name) => (
    element("th", { class: NUMBERS.has(name) ? "number" : "", text: text(`requests_column.${name}`),
      attributes: { scope: "col" } })))));
}

/**
 * Build the row of a request; its names filter the list, its cost explains itself.
 *
 * @param {UsageView} request
 * @param {{names: ReadonlyMap<string, string>, aliases: ReadonlyMap<string, string>, time: (at: number) => string,
 *     filter: (name: string, value: string) => void, explain: (request: UsageView) => unknown}} how
 */
export function requestRow(request, { names, aliases, time, filter, explain }) {
  /**
   * @param {string} name
   * @param {string} value
   * @param {string} said
   */
  const chosen = (name, value, said) => (value ? element("button", {
    class: "link", attributes: { type: "button", title: text("requests.only", { name: clipped(said) }) },
    on: { click: () => filter(name, value) },
  }, element("bdi", { class: "clamped", text: clipped(said) })) : UNKNOWN);
  const cost = request.usd === null
    ? text("requests.unknown") : `${request.partial ? "≥ " : ""}${formatUsd(request.usd)}`;
  const status = request.failure
    ? element("button", {
      class: "pill", data: { tone: "bad" }, attributes: { type: "button" },
      on: { click: () => filter("failure", request.failure) },
    }, element("bdi", { class: "clamped", text: clipped(request.failure) }))
    : element("span", { class: "pill", text: String(request.status || text("requests.good")), data: { tone: "good" } });
  const cells = [
    time(request.at), status, chosen("model", request.model, request.model),
    chosen("account", request.account, names.get(request.account) || request.account),
    chosen("client", request.client, aliases.get(request.client) ?? `${request.client.slice(0, 8)}…`),
    formatWhole(request.tokens.total),
    actsOnce(element("button", {
      class: "link", text: cost, attributes: { type: "button", "aria-label": text("requests.why_of", { cost }) },
    }), () => explain(request)),
    formatMs(request.latencyMs), request.ttftMs ? formatMs(request.ttftMs) : UNKNOWN,
  ];
  return element("tr", {}, ...COLUMNS.map((name, at) => element("td", {
    class: NUMBERS.has(name) ? "number" : "", data: { label: text(`requests_column.${name}`) },
  }, cells[at])));
}
