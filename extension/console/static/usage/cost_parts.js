/** Parts of the cost of a request, with amounts that visibly add up to its total. Pure. */

import { currentLocale, text, tokenText } from "../language/catalogue.js";
import { decimalsOfUsd, formatRate, formatWhole } from "./amounts.js";

/**
 * @import { CostPartView, PriceUseView, TokensView, UsageView } from "../../_generated_types.js"
 * @typedef {{name: string, note: string, count: string, rate: string, cost: string}} Line
 */

/** Bucket of each unit that counts tokens. */
const BUCKETS = /** @type {Record<string, keyof TokensView>} */ ({
  input: "input", cache_read: "cacheRead", cache_write_5m: "cacheWrite5M", cache_write_1h: "cacheWrite1H",
  output: "output", reasoning: "reasoning", audio_in: "audioIn", audio_out: "audioOut", image_in: "imageIn",
  image_out: "imageOut",
});
const PICO_DIGITS = 12;
const MILLION = 1_000_000;

/**
 * Return the lines of a cost and its total. Tokens that have no price are lines of their own, without a cost.
 *
 * @param {Pick<UsageView, "tokens" | "usd" | "partial">} request
 * @param {PriceUseView | undefined} use the price and its parts; none where the cost is unknown
 * @returns {{lines: Line[], total: Line | null}}
 */
export function costLines(request, use) {
  const parts = withReasoningInOutput(use?.parts ?? []);
  const rounding = use ? picoOf(use.rounding) : 0n;
  const amounts = [...parts.map(({ pico }) => pico), ...(rounding ? [rounding] : [])];
  const digits = fewestDigits(amounts);
  const priced = parts.map(({ part, count, pico, note }) => ({
    name: tokenText("unit", part.unit), note, count: formatWhole(count), rate: rateOf(part), cost: usd(pico, digits),
  }));
  const beyond = rounding
    ? [{ name: text("requests.rounding"), note: "", count: "", rate: "", cost: usd(rounding, digits) }] : [];
  const known = new Set((use?.parts ?? []).map(({ unit }) => /** @type {string} */ (unit)));
  const without = Object.entries(BUCKETS).flatMap(([unit, bucket]) =>
    (known.has(unit) || !request.tokens[bucket] ? [] : [unpriced(tokenText("unit", unit), request.tokens[bucket])]));
  const unclassified = use?.unclassified ? [unpriced(text("requests.other_tokens"), use.unclassified)] : [];
  const lines = [...priced, ...beyond, ...without, ...unclassified];
  if (!lines.length) return { lines, total: null };
  const sum = amounts.reduce((all, each) => all + each, 0n);
  const cost = priced.length ? `${request.partial ? "≥ " : ""}${usd(sum, digits)}` : text("requests.unknown");
  return { lines, total: {
    name: text("requests.total"), note: "", count: formatWhole(request.tokens.total), rate: "", cost } };
}

/**
 * Put reasoning tokens that are billed as output into the part of the output.
 *
 * @param {readonly CostPartView[]} parts
 */
function withReasoningInOutput(parts) {
  const reasoning = parts.find(({ unit, rateOf: rated }) => unit === "reasoning" && rated === "output");
  const output = parts.find(({ unit }) => unit === "output");
  return parts.flatMap((part) => {
    if (part === reasoning && output) return [];
    const shown = { part, count: part.count, pico: picoOf(part.usd), note: "" };
    if (!reasoning || (part !== reasoning && part !== output)) return [shown];
    const joined = part === output ? reasoning : { count: 0, usd: "0" };
    return [{
      part: { ...part, unit: reasoning.rateOf }, count: part.count + joined.count,
      pico: shown.pico + picoOf(joined.usd), note: text("requests.with_reasoning", { n: reasoning.count }),
    }];
  });
}

/**
 * @param {string} name
 * @param {number} count
 * @returns {Line}
 */
function unpriced(name, count) {
  return { name, note: "", count: formatWhole(count), rate: text("requests.no_rate"), cost: text("requests.unknown") };
}

/** @param {CostPartView} part */
function rateOf({ amount, per, unit, rateOf: rated }) {
  const said = per === MILLION
    ? text("requests.per_million", { amount: formatRate(amount) })
    : text("requests.per", { amount: formatRate(amount), n: per });
  return rated === unit ? said : text("requests.rate_of", { rate: said, unit: tokenText("unit", rated) });
}

/**
 * Fewest decimals at which the shown amounts add up to the shown sum, none is shown as zero, and the sum is as exact as
 * where it is asked about.
 *
 * @param {readonly bigint[]} amounts in trillionths of a dollar
 */
function fewestDigits(amounts) {
  const sum = amounts.reduce((all, each) => all + each, 0n);
  for (let digits = decimalsOfUsd(Number(sum) / 10 ** PICO_DIGITS); digits < PICO_DIGITS; digits += 1) {
    const shown = amounts.map((each) => rounded(each, digits));
    const isWhole = shown.reduce((all, each) => all + each, 0n) === rounded(sum, digits);
    if (isWhole && amounts.every((each, at) => !each || shown[at])) return digits;
  }
  return PICO_DIGITS;
}

/**
 * @param {bigint} pico
 * @param {number} digits
 */
function rounded(pico, digits) {
  const unit = 10n ** BigInt(PICO_DIGITS - digits);
  return (pico + (pico < 0n ? -unit : unit) / 2n) / unit;
}

/** @param {string} amount exact decimal text */
function picoOf(amount) {
  const [whole, part = ""] = amount.replace("-", "").split(".");
  const pico = BigInt(whole + part.padEnd(PICO_DIGITS, "0").slice(0, PICO_DIGITS));
  return amount.startsWith("-") ? -pico : pico;
}

/**
 * @param {bigint} pico
 * @param {number} digits
 */
function usd(pico, digits) {
  return new Intl.NumberFormat(currentLocale(), {
    style: "currency", currency: "USD", currencyDisplay: "narrowSymbol",
    minimumFractionDigits: digits, maximumFractionDigits: digits,
  }).format(Number(rounded(pico, digits)) / 10 ** digits);
}
