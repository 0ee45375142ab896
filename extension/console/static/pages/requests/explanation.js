/** Why a request cost what it did: its tokens, the price in force, and what is missing where the cost is unknown. */

import { element } from "../../dom.js";
import { text, tokenText } from "../../language/catalogue.js";
import { pageAddress } from "../../layout/tile.js";
import { tableNode } from "../../pictures/picture.js";
import { formatUsd, formatWhole } from "../../usage/amounts.js";

/** @import { QuoteView, TokensView, UsageView } from "../../../_generated_types.js" */

/** Unit of the price of each bucket of tokens. */
const UNITS = /** @type {Record<string, keyof TokensView>} */ ({
  input: "input", cache_read: "cacheRead", cache_write_5m: "cacheWrite5M", cache_write_1h: "cacheWrite1H",
  output: "output", reasoning: "reasoning", audio_in: "audioIn", audio_out: "audioOut", image_in: "imageIn",
    image_out: "imageOut",
});

/**
 * Return the quote of the price list that fits a request best: model and provider alike, else the model alone.
 *
 * @param {readonly QuoteView[]} quotes
 * @param {Pick<UsageView, "model" | "provider">} request
 */
export function quoteFor(quotes, { model, provider }) {
  const same = quotes.filter((quote) => quote.model === model);
  return same.find((quote) => quote.provider === provider)
    ?? same.find((quote) => quote.serviceTier === "standard") ?? same[0];
}

/**
 * Build the dialog that explains the cost of a request.
 *
 * @param {UsageView} request
 * @param {readonly QuoteView[]} quotes prices in force of models whose names fit
 * @param {string} title
 */
export function explanationDialog(request, quotes, title) {
  const quote = quoteFor(quotes, request);
  const rows = Object.entries(UNITS).flatMap(([unit, bucket]) => {
    const count = request.tokens[bucket];
    if (!count) return [];
    const rate = quote?.rates[unit];
    const per = rate ? text("requests.per", { amount: formatUsd(rate.amount), n: rate.per }) : text("requests.no_rate");
    return [[tokenText("unit", unit), formatWhole(count), per]];
  });
  const cost = request.usd === null
    ? text("requests.cost_unknown") : text("requests.cost_is",
      { cost: `${request.partial ? "≥ " : ""}${formatUsd(request.usd)}` });
  const reasons = [
    request.usd === null ? text("requests.no_price") : "",
    request.partial ? text("requests.partial") : "",
    request.quality === "unclassified" ? text("requests.unclassified") : "",
    request.quality === "inconsistent" ? text("requests.inconsistent") : "",
    quote ? text("requests.price_from", { source: quote.source, model: quote.model }) : "",
    request.usd !== null && request.priceVersion ? text("requests.version", { version: request.priceVersion }) : "",
    request.usd !== null && rows.length ? text("requests.then") : "",
  ].filter(Boolean);
  const dialog = element("dialog", { class: "explanation", attributes: { "aria-label": title } },
    element("h2", { text: title }),
    element("p", {}, element("bdi", { class: "clamped", text: request.model })),
    element("p", {}, element("b", { text: cost })),
    rows.length
      ? tableNode(title, [text("requests.bucket"), text("usage.tokens"), text("requests.rate_now")], rows)
      : element("p", { text: text("requests.no_tokens") }),
    ...reasons.map((reason) => element("p", { class: "hint" }, element("bdi", { text: reason }))),
    element("p", { class: "buttons" },
      element("a", { text: text("requests.to_price"), attributes: { href: pageAddress("prices",
        { search: request.model.slice(0, 200) }) } }),
      element("button", { class: "primary", text: text("requests.close"), attributes: { type: "button" },
        on: { click: () => dialog.close() } })));
  dialog.addEventListener("close", () => dialog.remove());
  return dialog;
}
