/** Why a sum of costs is what it is: each price with the requests it was used for, and those without a known cost. */

import { element } from "../dom.js";
import { text } from "../language/catalogue.js";
import { actsOnce } from "../layout/once.js";
import { costOf, formatUsd } from "./amounts.js";
import { costLines } from "./cost_parts.js";
import { costTable, missingTexts, priceText, priceTexts } from "./cost_table.js";

/**
 * @import { ExplanationAnswer, PriceUseView, TokensView, UnpricedUseView } from "../../_generated_types.js"
 * @typedef {Parameters<typeof costOf>[0]} Sum requests with their cost
 */

/** Prices whose parts are shown at once; the others are opened one by one. */
const OPEN = 1;
const NO_TOKENS = {
  input: 0, cacheRead: 0, cacheWrite5M: 0, cacheWrite1H: 0, output: 0, reasoning: 0, audioIn: 0, audioOut: 0,
  imageIn: 0, imageOut: 0,
};
/** Units beside tokens. */
const OTHER_UNITS = new Set(["requests", "images", "seconds", "searches"]);

/**
 * Build a cost that says why it is what it is.
 *
 * @param {Sum} sum
 * @param {() => unknown} explain
 * @param {boolean} [isPartial] whether records may be missing
 */
export function costButton(sum, explain, isPartial = false) {
  const cost = costOf(sum, isPartial);
  return actsOnce(element("button", {
    class: "link", text: cost, attributes: { type: "button", "aria-label": text("requests.why_of", { cost }) },
  }), explain);
}

/**
 * Build the dialog that explains a sum.
 *
 * @param {string} subject what the sum is of
 * @param {Sum} sum
 * @param {ExplanationAnswer} explanation
 * @param {boolean} [isPartial] whether records may be missing
 */
export function costDialog(subject, sum, { prices, unpriced, leftOff }, isPartial = false) {
  const title = text("requests.why");
  const dialog = element("dialog", { class: "explanation", attributes: { "aria-label": title } },
    element("h2", { text: title }),
    element("p", {}, element("bdi", { class: "clamped", text: subject })),
    element("p", {}, element("b", { text: text("requests.cost_is", { cost: costOf(sum, isPartial) }) })),
    ...(isPartial ? [element("p", { class: "hint", text: text("usage.gap_in_sum") })] : []),
    ...prices.map((use, index) => priceNode(use, index < OPEN)),
    ...(leftOff ? [element("p", { class: "hint", text: text("usage.prices_left_off", { n: leftOff }) })] : []),
    ...together(unpriced).map(unpricedNode),
    element("p", { class: "buttons" }, element("button", {
      class: "primary", text: text("requests.close"), attributes: { type: "button" },
      on: { click: () => dialog.close() },
    })));
  dialog.addEventListener("close", () => dialog.remove());
  return dialog;
}

/**
 * @param {PriceUseView} use
 * @param {boolean} isOpen
 */
function priceNode(use, isOpen) {
  const said = text("usage.price_use", { n: use.requests, cost: formatUsd(use.usd) });
  const name = use.source ? priceText(use) : text("requests.refused_is_free");
  const { lines, total } = costLines({ tokens: tokensOf(use), usd: use.usd, partial: use.incomplete > 0 }, use);
  const summary = element("summary", {}, element("bdi", { text: name }), ` ${said}`);
  return element("details", { attributes: isOpen ? { open: "" } : {} }, summary,
    ...(total ? [costTable(name, lines, total)] : []),
    ...(use.source ? priceTexts(use).slice(1).filter(Boolean).map((hint) =>
      element("p", { class: "hint", text: hint })) : []));
}

/**
 * Put requests together that are told alike: the service tells those of each provider apart.
 *
 * @param {UnpricedUseView[]} unpriced
 * @returns {UnpricedUseView[]}
 */
function together(unpriced) {
  const alike = Map.groupBy(unpriced, (use) => JSON.stringify([use.model, ...missingTexts(use)]));
  return [...alike.values()].map((uses) => ({
    ...uses[0], requests: uses.reduce((sum, { requests }) => sum + requests, 0),
  }));
}

/** @param {UnpricedUseView} use */
function unpricedNode(use) {
  return element("p", { class: "hint" },
    element("bdi", { class: "clamped", text: use.model }), ": ",
    text("usage.price_unknown", { n: use.requests }), " ", missingTexts(use).filter(Boolean).join(" "));
}

/**
 * Tokens of a price: no bucket beyond its parts, so that nothing counts twice.
 *
 * @param {PriceUseView} use
 * @returns {TokensView}
 */
function tokensOf({ parts, unclassified }) {
  const counted = parts.filter(({ unit }) => !OTHER_UNITS.has(unit)).reduce((all, { count }) => all + count, 0);
  return { ...NO_TOKENS, total: counted + unclassified };
}
