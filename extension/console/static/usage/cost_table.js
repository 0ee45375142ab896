/** Parts of a cost as a table, and the price they were computed with in words. */

import { element } from "../dom.js";
import { formatDay } from "../formatting.js";
import { text, tokenText } from "../language/catalogue.js";

/**
 * @import { PriceUseView, UnpricedUseView } from "../../_generated_types.js"
 * @import { Line } from "./cost_parts.js"
 */

/** @param {UnpricedUseView} missing */
export function missingTexts({ reason, pricedNow }) {
  return [tokenText("missing_cost", reason), pricedNow ? text("requests.priced_now") : ""];
}

/** @param {PriceUseView} use */
export function priceTexts(use) {
  return [
    priceText(use), use.assumed ? text("requests.assumed", { provider: use.provider }) : "",
    use.above ? text("requests.above", { n: use.above }) : "",
  ];
}

/** @param {PriceUseView} use */
export function priceText({ source, model, serviceTier, validFrom }) {
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
export function costTable(caption, lines, total) {
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
