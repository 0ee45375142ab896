/** Prices and differences as rows of tables. Pure but for nodes. */

import { element } from "../../dom.js";
import { formatActor, formatDay } from "../../formatting.js";
import { text, tokenText } from "../../language/catalogue.js";
import { actsOnce } from "../../layout/once.js";
import { formatRate, formatWhole, UNKNOWN } from "../../usage/amounts.js";

/** @import { ModelDifferenceView, QuoteView, RateView, StoredPriceView } from "../../../_generated_types.js" */

const TOKENS = 1_000_000;

/**
 * Return rates in words: an amount for a million tokens, or for as many units as the price names.
 *
 * @param {Record<string, RateView>} rates
 */
export function ratesText(rates) {
  return Object.entries(rates).map(([unit, rate]) => `${tokenText("unit", unit)} ${rateText(rate)}`).join(" · ");
}

/** @param {RateView | null} rate */
export function rateText(rate) {
  if (!rate) return UNKNOWN;
  const amount = formatRate(rate.amount);
  const tiers = rate.above.map(({ tokens, amount: higher }) =>
    ` (${text("prices.above", { tokens: formatWhole(tokens), amount: formatRate(higher) })})`);
  return [rate.per === TOKENS ? amount : `${amount} / ${formatWhole(rate.per)}`, ...tiers].join("");
}

/**
 * @param {readonly string[]} heads
 * @param {string} title
 * @param {HTMLElement[]} rows
 */
export function priceTable(heads, title, rows) {
  for (const row of rows) {
    let column = 0;
    for (const cell of row.querySelectorAll("td, th")) {
      const { colSpan } = /** @type {HTMLTableCellElement} */ (cell);
      if (colSpan === 1) cell.setAttribute("data-label", heads[column]);
      column += colSpan;
    }
  }
  return element("div", {
    class: "scroll", attributes: { tabindex: 0, role: "region", "aria-label": `${title}: ${text("picture.table")}` },
  },
    element("table", { class: "plain-table cards" },
      element("thead", {}, element("tr", {}, ...heads.map((name) => element("th", { text: name,
        attributes: { scope: "col" } })))),
      element("tbody", {}, ...rows)));
}

/** @param {{model: string, provider: string}} price */
export function modelCell({ model, provider }) {
  return element("th", { attributes: { scope: "row" } }, element("bdi", { class: "clamped", text: model }),
    ...(provider ? [" ", element("small", {}, element("bdi", { class: "clamped", text: provider }))] : []));
}

/** @param {string | null} day */
function dayText(day) {
  return day ? formatDay(day) : text("prices.always");
}

/**
 * @param {StoredPriceView} price
 * @param {(price: StoredPriceView) => void} edit
 * @param {(price: StoredPriceView) => unknown} remove
 */
export function storedRow(price, edit, remove) {
  /** @param {"edit" | "remove"} verb */
  const button = (verb) => actsOnce(element("button", {
    class: "plain small", text: text(`prices.${verb}`),
    attributes: { id: `price-${verb}-${price.id}`, type: "button",
      "aria-label": text("prices.act_on", { verb: text(`prices.${verb}`), model: price.model }) },
  }), () => (verb === "edit" ? edit : remove)(price));
  return element("tr", { data: { subject: price.model } }, modelCell(price),
    element("td", { class: "wrapped", text: ratesText(price.rates) }),
    element("td", { text: dayText(price.validFrom) }),
    element("td", { text: text("prices.set_by", {
      source: tokenText("price_source", price.source), actor: formatActor(price.setBy) }) }),
    element("td", {}, element("span", { class: "buttons" }, button("edit"), button("remove"))));
}

/**
 * Build the row of a model that is in use and has no price.
 *
 * @param {string} model
 * @param {(model: string) => void} set
 */
export function unpricedRow(model, set) {
  return element("tr", { data: { subject: model } }, modelCell({ model, provider: "" }),
    element("td", { attributes: { colspan: 3 } },
      element("span", { class: "pill", text: text("requests.no_rate"), data: { tone: "caution" } }),
      ` ${text("prices.unpriced")}`),
    element("td", {}, element("button", {
      class: "plain small", text: text("prices.set"),
      attributes: { type: "button", "aria-label": text("prices.act_on", { verb: text("prices.set"), model }) },
      on: { click: () => set(model) },
    })));
}

/**
 * @param {QuoteView} quote
 * @param {(quote: QuoteView) => void} override
 */
export function quoteRow(quote, override) {
  const { model, provider, serviceTier, validFrom } = quote;
  const id = `price-override-${JSON.stringify([model, provider, serviceTier, validFrom])}`;
  return element("tr", { data: { subject: model } }, modelCell(quote),
    element("td", { class: "wrapped", text: ratesText(quote.rates) }),
    element("td", { text: dayText(quote.validFrom) }),
    element("td", { text: tokenText("price_source",
      quote.source) + (quote.serviceTier === "standard" ? "" : ` · ${quote.serviceTier}`) }),
    element("td", {}, element("button", {
      class: "plain small", text: text("prices.override"),
      attributes: { id, type: "button", "aria-label": text("prices.act_on", { verb: text("prices.override"), model }) },
      on: { click: () => override(quote) },
    })));
}

/**
 * Build the rows of a model that two lists price otherwise: one row for each unit.
 *
 * @param {ModelDifferenceView} difference
 * @param {Node} pick check box of the model
 */
export function differenceRows(difference, pick) {
  return difference.units.map(({ unit, ours, theirs, factor }, index) => element("tr", {},
    element("td", {}, ...(index ? [] : [pick])),
    modelCell(index ? { model: "", provider: "" } : difference),
    element("td", { text: tokenText("unit", unit) }),
    element("td", { class: "number", text: rateText(ours) }),
    element("td", { class: "number", text: rateText(theirs) }),
    element("td", { class: "number", text: factor ? `× ${Number(factor)}` : UNKNOWN })));
}
