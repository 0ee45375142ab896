/** Prices as rows, and a form as a price. Pure. */

import type {
  ModelDifferenceView,
  PriceSource,
  PricesAnswer,
  QuoteView,
  RateView,
  StoredPriceView,
  Unit,
} from "../../connection/api.js";
import { ApiProblem } from "../../connection/problem.js";
import { formatRate } from "../../language/amounts.js";
import { text, tokenText } from "../../language/catalogue.js";
import { formatCount, UNKNOWN } from "../../language/formats.js";

/** Units with a column and a field of their own. */
export const UNITS = ["input", "cache_read", "cache_write_5m", "output", "reasoning"] as const satisfies Unit[];
/** Which rows are shown. */
export const VIEWS = ["all", "own", "unpriced"] as const;
export type View = (typeof VIEWS)[number];

const TOKENS = 1_000_000;
const SEPARATOR = "|";

/** Price of a model: an own one, one of a list, or none although the model is in use. */
export interface PriceRow {
  id: string;
  kind: "unpriced" | "own" | "list";
  model: string;
  provider: string;
  serviceTier: string;
  validFrom: string | null;
  rates: Record<string, RateView>;
  source: PriceSource | null;
  note: string;
  setBy: string;
  /** Number of an own price. */
  stored: number | null;
}

/** What the page reads. */
export interface Prices {
  answer: PricesAnswer;
  found: readonly QuoteView[];
  unpriced: readonly string[];
}

const NEW: Omit<PriceRow, "id" | "kind" | "model"> = {
  provider: "",
  serviceTier: "standard",
  validFrom: null,
  rates: {},
  source: null,
  note: "",
  setBy: "",
  stored: null,
};

/** Return the row of a price that does not exist yet. */
export function newPrice(model = ""): PriceRow {
  return { ...NEW, id: model ? `unpriced:${model}` : "new", kind: "unpriced", model };
}

/** Return all rows that match a search: models without a price on top, then own prices, then those of the lists. */
export function rowsOf({ answer, found, unpriced }: Prices, search: string): PriceRow[] {
  const words = search.trim().toLowerCase();
  const rows = [...unpriced.map(newPrice), ...answer.prices.map(ownRow), ...found.filter(isOfList).map(listRow)];
  return rows.filter(({ model, provider }) => `${provider}/${model}`.toLowerCase().includes(words));
}

/** Return whether a price in force is that of a list: own prices have rows of their own. */
function isOfList({ source }: QuoteView): boolean {
  return source !== "override" && source !== "synced";
}

export function inView(rows: readonly PriceRow[], view: View): PriceRow[] {
  return rows.filter(({ kind }) => view === "all" || kind === view);
}

function ownRow(price: StoredPriceView): PriceRow {
  return { ...price, id: `own:${price.id}`, kind: "own", stored: price.id };
}

function listRow(quote: QuoteView): PriceRow {
  const { provider, serviceTier, validFrom, model } = quote;
  const id = ["list", provider, serviceTier, validFrom ?? "", model].join(SEPARATOR);
  return { ...NEW, ...quote, id, kind: "list" };
}

/** Return the amount of a unit to sort by; null where the price has none. */
export function amountOf({ rates }: Pick<PriceRow, "rates">, unit: Unit): number | null {
  const rate = rates[unit];
  return rate ? (Number(rate.amount) * TOKENS) / rate.per : null;
}

/** Return a rate in words: an amount for a million tokens, or for as many units as the price names. */
export function rateText(rate: RateView | null | undefined): string {
  if (!rate) return UNKNOWN;
  const amount = formatRate(rate.amount);
  return rate.per === TOKENS ? amount : `${amount} / ${formatCount(rate.per)}`;
}

/** Return the higher amounts of a rate in words; empty where it has none. */
export function tiersText({ above }: RateView): string {
  return above
    .map(({ tokens, amount }) => text("prices.above", { tokens: formatCount(tokens), amount: formatRate(amount) }))
    .join(", ");
}

/** Return the rates of units without a column in words. */
export function otherRates({ rates }: Pick<PriceRow, "rates">): { unit: string; rate: string }[] {
  const columns: readonly string[] = UNITS;
  return Object.entries(rates)
    .filter(([unit, { above }]) => !columns.includes(unit) || above.length > 0)
    .map(([unit, rate]) => ({
      unit: tokenText("unit", unit),
      rate: [rateText(rate), tiersText(rate)].filter(Boolean).join("; "),
    }));
}

/** Amount as the service takes it, up to the highest one. */
const AMOUNT = /^\d{1,7}(?:\.\d{1,18})?$/;
const HIGHEST = 1_000_000;

/** Turn the fields of the form, amounts by unit, into rates. Rates that the form does not show stay as they are. */
export function ratesOf(
  fields: Record<string, string | undefined>,
  before: Record<string, RateView>,
): Record<string, RateView> {
  const others = Object.entries(before).filter(([unit]) => !UNITS.some((name) => name === unit));
  const shown = UNITS.map((unit): [string, RateView | null] => {
    // "1,250" is a thousand and more to some readers, and little more than one to others.
    const amount = (fields[unit] ?? "").trim().replace(/^(0),(\d+)$|^(\d+),(\d{1,2}|\d{4,})$/, "$1$3.$2$4");
    if (before[unit]?.amount === amount) return [unit, before[unit]];
    return [unit, amount ? { amount, per: before[unit]?.per ?? TOKENS, above: [] } : null];
  });
  return Object.fromEntries([...others, ...shown].filter((entry): entry is [string, RateView] => entry[1] !== null));
}

/** Return what is wrong with a price before it is sent; null where nothing is. */
export function flawOf({ model, rates }: Pick<PriceRow, "model" | "rates">): ApiProblem | null {
  const flaw = (field: string, message: string) => new ApiProblem({ code: "bad_price", status: 400, field, message });
  if (model.slice(0, -1).includes("*")) return flaw("model", text("prices.star_flaw"));
  for (const unit of UNITS) {
    const amount = rates[unit]?.amount;
    if (amount !== undefined && !(AMOUNT.test(amount) && Number(amount) <= HIGHEST)) {
      const message = text("prices.amount_flaw", { unit: tokenText("unit", unit), highest: HIGHEST });
      return flaw(`rates.${unit}`, message);
    }
  }
  return Object.keys(rates).length ? null : flaw("rates.input", text("prices.no_amount"));
}

/** Return the name by which a model of a list is taken over. */
export function nameOf({ provider, model }: Pick<ModelDifferenceView, "provider" | "model">): string {
  return provider ? `${provider}/${model}` : model;
}
