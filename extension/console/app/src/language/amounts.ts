/** Amounts of usage in words: costs, rates, tokens and partial sums. */

import { currentLocale } from "./catalogue.js";
import { UNKNOWN } from "./formats.js";

const SMALL = 0.01;
/** Mark of an amount that may be larger. */
export const LEAST = "≥ ";

const DOLLARS = { style: "currency", currency: "USD", currencyDisplay: "narrowSymbol" } as const;

/** Format US dollars given as exact decimal text; an amount below a cent keeps two significant digits. */
export function formatUsd(amount: string | number | null | undefined): string {
  if (amount === null || amount === undefined || amount === "") return UNKNOWN;
  const value = Number(amount);
  if (!Number.isFinite(value)) return UNKNOWN;
  const isSmall = value !== 0 && Math.abs(value) < SMALL;
  const digits = isSmall ? { maximumSignificantDigits: 2 } : { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return new Intl.NumberFormat(currentLocale(), { ...DOLLARS, ...digits }).format(value);
}

/** Format a rate in US dollars with all its decimals. */
export function formatRate(amount: string): string {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 12 };
  return new Intl.NumberFormat(currentLocale(), { ...DOLLARS, ...digits }).format(Number(amount));
}

export function formatShort(count: number | null | undefined): string {
  if (count === null || count === undefined) return UNKNOWN;
  return new Intl.NumberFormat(currentLocale(), { notation: "compact", maximumFractionDigits: 1 }).format(count);
}

/** Return how many decimals `formatUsd` shows of an amount. */
export function decimalsOfUsd(amount: number): number {
  const size = Math.abs(amount);
  return size !== 0 && size < SMALL ? 1 - Math.floor(Math.log10(size)) : 2;
}

/** Format US dollars with so many decimals. */
export function formatExactUsd(amount: number, decimals: number): string {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return new Intl.NumberFormat(currentLocale(), { ...DOLLARS, ...digits }).format(amount);
}
