/** Form of a price of one's own. */

import { ApiProblem, isSignedOut } from "../../connection/problem.js";
import { element } from "../../dom.js";
import { text, tokenText } from "../../language/catalogue.js";
import { submitsOnce } from "../../layout/once.js";
import { Refusal } from "../../layout/refusal.js";

/** @import { RateView } from "../../../_generated_types.js" */

/** Amount as the service takes it, up to the highest one. */
const AMOUNT = /^\d{1,7}(?:\.\d{1,18})?$/;
const HIGHEST = 1_000_000;
const UNITS = /** @type {const} */ (["input", "cache_read", "cache_write_5m", "output", "reasoning"]);

/**
 * Turn the fields of the form into the rates of a price. Rates that the form does not show stay as they are.
 *
 * @param {Record<string, string>} fields amounts by unit
 * @param {Record<string, RateView>} before
 */
export function ratesOf(fields, before) {
  const rates = { ...before };
  for (const unit of UNITS) {
    // "1,250" is a thousand and more to some readers, and little more than one to others.
    const amount = (fields[unit] ?? "").trim().replace(/^(0),(\d+)$|^(\d+),(\d{1,2}|\d{4,})$/, "$1$3.$2$4");
    if (!amount) delete rates[unit];
    else if (before[unit]?.amount !== amount) rates[unit] = { amount, per: before[unit]?.per ?? 1_000_000, above: [] };
  }
  return rates;
}

/**
 * Return what is wrong with a price, before it is sent; null where nothing is.
 *
 * @param {{model: string, rates: Record<string, RateView>}} price
 */
export function flawOf({ model, rates }) {
  const flaw = (/** @type {string} */ field, /** @type {string} */ message) =>
    new ApiProblem({ code: "bad_price", status: 400, field, message });
  if (model.slice(0, -1).includes("*")) return flaw("model", text("prices.star_flaw"));
  for (const unit of UNITS) {
    const amount = rates[unit]?.amount;
    if (amount !== undefined && !(AMOUNT.test(amount) && Number(amount) <= HIGHEST)) {
      return flaw(["rates", unit].join("."), text("prices.amount_flaw",
        { unit: tokenText("unit", unit), highest: HIGHEST }));
    }
  }
  return Object.keys(rates).length ? null : flaw("rates.input", text("prices.no_amount"));
}

/**
 * Build the dialog that sets a price.
 *
 * @param {{model: string, provider: string, serviceTier: string, validFrom: string | null,
 *     rates: Record<string, RateView>, note: string}} price
 * @param {(price: object) => Promise<void>} save
 */
export function priceDialog(price, save) {
  const title = text("prices.form");
  const dialog = element("dialog", { class: "explanation", attributes: { "aria-label": title } });
  const close = () => dialog.close();
  /** @type {import("../../layout/refusal.js").Controls} */
  const controls = {};
  /**
   * @param {string} name
   * @param {string} label
   * @param {string} value
   * @param {Record<string, string | boolean>} [more]
   */
  const field = (name, label, value, more = {}) => {
    const input = element("input", { attributes: { id: `price-${name}`, name, value, ...more } });
    controls[UNITS.some((unit) => unit === name) ? ["rates", name].join(".") : name] = input;
    return element("div", { class: "field" },
      element("label", { text: label, attributes: { for: input.id } }), input);
  };
  const form = element("form", { attributes: { method: "dialog" } },
    element("h2", { text: title }),
    field("model", text("prices.model"), price.model, { required: true, maxlength: "200" }),
    field("provider", text("prices.provider"), price.provider, { maxlength: "100" }),
    field("validFrom", text("prices.valid_from"), price.validFrom ?? "", { type: "date" }),
    element("p", { class: "hint", text: text("prices.per_million") }),
    ...UNITS.map((unit) => field(unit, tokenText("unit", unit), price.rates[unit]?.amount ?? "",
      { inputmode: "decimal" })),
    field("note", text("prices.note"), price.note, { maxlength: "200" }),
    element("p", { class: "buttons" },
      element("button", { class: "plain", text: text("prices.cancel"), attributes: { type: "button" },
        on: { click: () => close() } }),
      element("button", { class: "primary", text: text("prices.save"), attributes: { type: "submit" } })));
  const refusal = new Refusal(form, controls);
  dialog.append(form);
  submitsOnce(form, async () => {
    /** @type {Record<string, string>} */
    const fields = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
    refusal.clear();
    const wanted = {
      model: fields.model.trim(), provider: fields.provider.trim(), serviceTier: price.serviceTier,
      validFrom: fields.validFrom || null, rates: ratesOf(fields, price.rates), note: fields.note,
    };
    try {
      const flaw = flawOf(wanted);
      if (flaw) throw flaw;
      await save(wanted);
      dialog.close();
    } catch (trouble) {
      if (!isSignedOut(trouble)) refusal.show(trouble);
    }
  });
  dialog.addEventListener("close", () => dialog.remove());
  return dialog;
}
