/** Why a request cost what it did: its parts, the price they were computed with, and the reason of an unknown cost. */

import { element } from "../../dom.js";
import { text } from "../../language/catalogue.js";
import { pageAddress } from "../../layout/tile.js";
import { formatUsd } from "../../usage/amounts.js";
import { costLines } from "../../usage/cost_parts.js";
import { costTable, missingTexts, priceTexts } from "../../usage/cost_table.js";

/** @import { ExplanationAnswer, PriceUseView, UnpricedUseView, UsageView } from "../../../_generated_types.js" */

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

/** @param {UsageView} request */
function qualityTexts({ usd, quality }) {
  if (usd === null) return [text("requests.no_price")];
  return quality === "unclassified" || quality === "inconsistent" ? [text(`requests.${quality}`)] : [];
}
