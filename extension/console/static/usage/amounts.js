/** Amounts of usage in words: costs, tokens, latencies and partial sums. Pure. */

import { currentLocale, text } from "../language/catalogue.js";

/** @import { FiguresView } from "../../_generated_types.js" */

export const UNKNOWN = "–";
const SMALL = 0.01;
/** Mark of an amount that may be larger. */
export const LEAST = "≥ ";

/**
 * Format US dollars; an amount below a cent keeps two significant digits.
 *
 * @param {string | number | null | undefined} amount decimal text, exact
 */
export function formatUsd(amount) {
  if (amount === null || amount === undefined || amount === "") return UNKNOWN;
  const value = Number(amount);
  if (!Number.isFinite(value)) return UNKNOWN;
  const small = value !== 0 && Math.abs(value) < SMALL;
  const digits = small ? { maximumSignificantDigits: 2 } : { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return new Intl.NumberFormat(currentLocale(), {
    style: "currency", currency: "USD", currencyDisplay: "narrowSymbol", ...digits,
  }).format(value);
}

/**
 * Return how many decimals `formatUsd` shows of an amount.
 *
 * @param {number} amount
 */
export function decimalsOfUsd(amount) {
  const size = Math.abs(amount);
  return size !== 0 && size < SMALL ? 1 - Math.floor(Math.log10(size)) : 2;
}

/**
 * Format a rate in US dollars with all its decimals.
 *
 * @param {string} amount exact decimal text
 */
export function formatRate(amount) {
  return new Intl.NumberFormat(currentLocale(), {
    style: "currency", currency: "USD", currencyDisplay: "narrowSymbol", minimumFractionDigits: 2,
    maximumFractionDigits: 12,
  }).format(Number(amount));
}

/** @param {number | null | undefined} count */
export function formatShort(count) {
  if (count === null || count === undefined) return UNKNOWN;
  return new Intl.NumberFormat(currentLocale(), { notation: "compact", maximumFractionDigits: 1 }).format(count);
}

/** @param {number} count */
export function formatWhole(count) {
  return new Intl.NumberFormat(currentLocale()).format(count);
}

/**
 * Format the cost of requests: unknown where none has a price, and a least amount where some have none or where records
 * may be missing.
 *
 * @param {Pick<FiguresView, "usd" | "unpriced" | "requests">} figures
 * @param {boolean} [isPartial]
 */
export function costOf({ usd, unpriced, requests }, isPartial = false) {
  const least = isPartial || unpriced > 0 ? LEAST : "";
  if (requests === 0) return `${least}${formatUsd(0)}`;
  // What is known to be free, such as a refusal, beside what has no price: zero would be no least amount worth a look.
  if (usd === null || (unpriced > 0 && Number(usd) === 0)) return text("requests.unknown");
  return `${least}${formatUsd(usd)}`;
}

/**
 * Format a count that records may be missing from.
 *
 * @param {number} count
 * @param {boolean} partial
 */
export function leastCount(count, partial) {
  return `${partial ? LEAST : ""}${formatWhole(count)}`;
}

/**
 * Format a large count that records may be missing from.
 *
 * @param {number} count
 * @param {boolean} partial
 */
export function leastShort(count, partial) {
  return `${partial ? LEAST : ""}${formatShort(count)}`;
}

/** @param {number | null | undefined} milliseconds */
export function formatMs(milliseconds) {
  if (milliseconds === null || milliseconds === undefined) return UNKNOWN;
  const isShort = milliseconds < 1000;
  const n = new Intl.NumberFormat(currentLocale(), {
    maximumFractionDigits: isShort || milliseconds >= 10_000 ? 0 : 2,
  }).format(isShort ? milliseconds : milliseconds / 1000);
  return text(isShort ? "time.ms" : "time.s", { n });
}
