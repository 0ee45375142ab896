/** Why a request cost what it did: its parts, the price they were computed with, and the reason of an unknown cost. */

import { element } from "../../dom.js";
import { formatDay } from "../../formatting.js";
import { text, tokenText } from "../../language/catalogue.js";
import { pageAddress } from "../../layout/tile.js";
import { formatUsd } from "../../usage/amounts.js";
import { costLines } from "./cost_parts.js";

/**
 * @import { ExplanationAnswer, PriceUseView, UnpricedUseView, UsageView } from "../../../_generated_types.js"
 * @import { Line } from "./cost_parts.js"
 */

/**
 * Build the dialog that explains the cost of a request.
 *
 * @param {UsageView} request
 * @param {ExplanationAnswer} explanation
 * @param {string} title
 */
export function explanationDialog(request, { prices: [use], unpriced: [missing] }, title) {
  const { lines, total } = costLines(request, use);
  const cost = request.usd === null
    ? text("requests.cost_unknown")
    : text("requests.cost_is", { cost: total?.cost ?? formatUsd(request.usd) });
  const dialog = element("dialog", { class: "explanation", attributes: { "aria-label": title } },
    element("h2", { text: title }),
    element("p", {}, element("bdi", { class: "clamped", text: request.model })),
    element("p", {}, element("b", { text: cost })),
    total ? costTable(title, lines, total) : element("p", { text: text("requests.no_tokens") }),
    ...reasonsOf(request, use, missing).map((reason) => element("p", { class: "hint" },
      element("bdi", { text: reason }))),
    element("p", { class: "buttons" },
      element("a", { text: text("requests.to_price"), attributes: { href: pageAddress("prices",
        { search: request.model.slice(0, 200) }) } }),
      element("button", { class: "primary", text: text("requests.close"), attributes: { type: "button" },
        on: { click: () => dialog.close() } })));
  dialog.addEventListener("close", () => dialog.remove());
  return dialog;
}

/**
 * @param {UsageView} request
 * @param {PriceUseView | undefined} use
 * @param {UnpricedUseView | undefined} missing
 */
function reasonsOf(request, use, missing) {
  const isFree = Number(request.usd) === 0 && request.failure;
  return [
    ...(missing ? missingTexts(missing) : qualityTexts(request)),
    isFree ? text("requests.refused_is_free") : "",
    request.partial ? text("requests.partial") : "",
    ...(use?.source ? priceTexts(use) : []),
  ].filter(Boolean);
}

/** @param {UnpricedUseView} missing */
function missingTexts({ reason, pricedNow }) {
  return [tokenText("missing_cost", reason), pricedNow ? text("requests.priced_now") : ""];
}

/** @param {UsageView} request */
function qualityTexts({ usd, quality }) {
  if (usd === null) return [text("requests.no_price")];
  return quality === "unclassified" || quality === "inconsistent" ? [text(`requests.${quality}`)] : [];
}

/** @param {PriceUseView} use */
function priceTexts(use) {
  return [
    priceText(use), use.assumed ? text("requests.assumed", { provider: use.provider }) : "",
    use.above ? text("requests.above", { n: use.above }) : "",
  ];
}

/** @param {PriceUseView} use */
function priceText({ source, model, serviceTier, validFrom }) {
  const list = tokenText("price_source", source ?? "");
  const tier = serviceTier === "standard" ? "" : ` ${text("requests.service_tier", { tier: serviceTier })}`;
  return (validFrom
    ? text("requests.price_since", { model, list, day: formatDay(validFrom) })
    : text("requests.price_from", { model, list })) + tier;
}

/**
 * @param {string} caption
 * @param {readonly Line[]} lines
 * @param {Line} total
 */
function costTable(caption, lines, total) {
  const heads = /** @type {const} */ (["kind", "tokens", "rate", "cost"]);
  return element("table", { class: "plain-table" },
    element("caption", { class: "visually-hidden", text: caption }),
    element("thead", {}, element("tr", {}, ...heads.map((name) => element("th", {
      class: name === "kind" ? "" : "number", text: text(`cost_column.${name}`), attributes: { scope: "col" } })))),
    element("tbody", {}, ...lines.map(lineRow)), element("tfoot", {}, lineRow(total)));
}

/** @param {Line} line */
function lineRow({ name, note, count, rate, cost }) {
  return element("tr", {},
    element("th", { attributes: { scope: "row" } }, name, ...(note ? [" ", element("small", { text: note })] : [])),
    ...[count, rate, cost].map((said) => element("td", { class: "number", text: said })));
}
