/** Parts of the cost of requests, with amounts that visibly add up to its total. Pure. */

import type { CostPartView, PriceUseView, TokensView, UnpricedUseView, UsageView } from "../connection/api.js";
import { decimalsOfUsd, formatExactUsd, formatRate, formatUsd, LEAST } from "../language/amounts.js";
import { text, tokenText } from "../language/catalogue.js";
import { formatCount, formatDay } from "../language/formats.js";

export interface CostLine {
  name: string;
  note: string;
  count: string;
  rate: string;
  cost: string;
}

export interface CostTable {
  lines: CostLine[];
  total: CostLine | null;
}

/** Bucket of each unit that counts tokens. */
const BUCKETS: Record<string, keyof TokensView> = {
  input: "input",
  cache_read: "cacheRead",
  cache_write_5m: "cacheWrite5M",
  cache_write_1h: "cacheWrite1H",
  output: "output",
  reasoning: "reasoning",
  audio_in: "audioIn",
  audio_out: "audioOut",
  image_in: "imageIn",
  image_out: "imageOut",
};
const PICO_DIGITS = 12;
const MILLION = 1_000_000;

/** Return the lines of a cost and its total. Tokens that have no price are lines of their own, without a cost. */
export function costLines(
  request: Pick<UsageView, "partial"> & { tokens: Partial<TokensView> & Pick<TokensView, "total"> },
  use: PriceUseView | undefined,
): CostTable {
  const parts = withReasoningInOutput(use?.parts ?? []);
  const rounding = use ? picoOf(use.rounding) : 0n;
  const amounts = [...parts.map(({ pico }) => pico), ...(rounding ? [rounding] : [])];
  const digits = fewestDigits(amounts);
  const usd = (pico: bigint) => formatExactUsd(Number(rounded(pico, digits)) / 10 ** digits, digits);
  const priced = parts.map(({ part, count, pico, note }) => ({
    name: tokenText("unit", part.unit),
    note,
    count: formatCount(count),
    rate: rateOf(part),
    cost: usd(pico),
  }));
  const blank = { note: "", count: "", rate: "" };
  const beyond = rounding ? [{ ...blank, name: text("requests.rounding"), cost: usd(rounding) }] : [];
  const pricedUnits = new Set<string>((use?.parts ?? []).map(({ unit }) => unit));
  const without = Object.entries(BUCKETS).flatMap(([unit, bucket]) => {
    const count = request.tokens[bucket];
    return pricedUnits.has(unit) || !count ? [] : [unpriced(tokenText("unit", unit), count)];
  });
  const unclassified = use?.unclassified ? [unpriced(text("requests.other_tokens"), use.unclassified)] : [];
  const lines = [...priced, ...beyond, ...without, ...unclassified];
  if (!lines.length) return { lines, total: null };
  const sum = (request.partial ? LEAST : "") + usd(sumOf(amounts));
  const cost = priced.length ? sum : text("requests.unknown");
  return { lines, total: { ...blank, name: text("requests.total"), count: formatCount(request.tokens.total), cost } };
}

/** Put reasoning tokens that are billed as output into the part of the output. */
function withReasoningInOutput(parts: readonly CostPartView[]) {
  const reasoning = parts.find(({ unit, rateOf: rated }) => unit === "reasoning" && rated === "output");
  const output = parts.find(({ unit }) => unit === "output");
  return parts.flatMap((part) => {
    if (part === reasoning && output) return [];
    const shown = { part, count: part.count, pico: picoOf(part.usd), note: "" };
    if (!reasoning || (part !== reasoning && part !== output)) return [shown];
    const joined = part === output ? reasoning : { count: 0, usd: "0" };
    return [
      {
        part: { ...part, unit: reasoning.rateOf },
        count: part.count + joined.count,
        pico: shown.pico + picoOf(joined.usd),
        note: text("requests.with_reasoning", { n: reasoning.count }),
      },
    ];
  });
}

function unpriced(name: string, count: number): CostLine {
  return {
    name,
    note: "",
    count: formatCount(count),
    rate: text("requests.no_rate"),
    cost: text("requests.unknown"),
  };
}

function rateOf({ amount, per, unit, rateOf: rated }: CostPartView): string {
  const rate =
    per === MILLION
      ? text("requests.per_million", { amount: formatRate(amount) })
      : text("requests.per", { amount: formatRate(amount), n: per });
  return rated === unit ? rate : text("requests.rate_of", { rate, unit: tokenText("unit", rated) });
}

function sumOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}

/**
 * Return the fewest decimals at which the shown amounts (trillionths of a dollar) add up to the shown sum, none is shown
 * as zero, and the sum is as exact as where it is asked about.
 */
function fewestDigits(amounts: readonly bigint[]): number {
  const sum = sumOf(amounts);
  for (let digits = decimalsOfUsd(Number(sum) / 10 ** PICO_DIGITS); digits < PICO_DIGITS; digits += 1) {
    const shown = amounts.map((amount) => rounded(amount, digits));
    const addsUp = sumOf(shown) === rounded(sum, digits);
    if (addsUp && amounts.every((amount, index) => !amount || shown[index])) return digits;
  }
  return PICO_DIGITS;
}

function rounded(pico: bigint, digits: number): bigint {
  const unit = 10n ** BigInt(PICO_DIGITS - digits);
  return (pico + (pico < 0n ? -unit : unit) / 2n) / unit;
}

function picoOf(amount: string): bigint {
  const [whole, part = ""] = amount.replace("-", "").split(".");
  const pico = BigInt(whole + part.padEnd(PICO_DIGITS, "0").slice(0, PICO_DIGITS));
  return amount.startsWith("-") ? -pico : pico;
}

/** Units beside tokens. */
const OTHER_UNITS = new Set<string>(["requests", "images", "seconds", "searches"]);

/** Return the lines of all requests of one price: no token beyond its parts, so that nothing counts twice. */
export function costLinesOfPrice(use: PriceUseView): CostTable {
  const counted = use.parts.filter(({ unit }) => !OTHER_UNITS.has(unit)).reduce((sum, { count }) => sum + count, 0);
  return costLines({ tokens: { total: counted + use.unclassified }, partial: use.incomplete > 0 }, use);
}

/** Return the name of a price, with the requests it was used for and their cost. */
export function priceTitle(use: PriceUseView): string {
  const name = use.source ? priceText(use) : text("requests.refused_is_free");
  return `${name} ${text("usage.price_use", { n: use.requests, cost: formatUsd(use.usd) })}`;
}

export function priceText({ source, model, serviceTier, validFrom }: PriceUseView): string {
  const list = tokenText("price_source", source ?? "");
  const tier = serviceTier === "standard" ? "" : ` ${text("requests.service_tier", { tier: serviceTier })}`;
  const price = validFrom
    ? text("requests.price_since", { model, list, day: formatDay(validFrom) })
    : text("requests.price_from", { model, list });
  return price + tier;
}

/** Return what is to know of a price beside its name. */
export function priceNotes({ source, assumed, provider, above }: PriceUseView): string[] {
  if (!source) return [];
  return [
    ...(assumed ? [text("requests.assumed", { provider })] : []),
    ...(above ? [text("requests.above", { n: above })] : []),
  ];
}

/** Return requests without a known cost in words; the service tells those of each provider apart. */
export function unpricedTexts(unpricedUses: readonly UnpricedUseView[]): { model: string; words: string }[] {
  const alike = Map.groupBy(unpricedUses, (use) => JSON.stringify([use.model, missingText(use)]));
  return [...alike.values()].map((uses) => {
    const n = uses.reduce((sum, { requests }) => sum + requests, 0);
    return { model: uses[0].model, words: `${text("usage.price_unknown", { n })} ${missingText(uses[0])}` };
  });
}

export function missingText({ reason, pricedNow }: UnpricedUseView): string {
  return [tokenText("missing_cost", reason), pricedNow ? text("requests.priced_now") : ""].filter(Boolean).join(" ");
}
