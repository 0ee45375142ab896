/** Selection of usage as it stands in an address: period, filters, and how names are shown. Pure. */

import { text } from "../language/catalogue.js";
import { formatTime } from "../language/formats.js";
import { periodName, periodOf, type Period, type PeriodName } from "./periods.js";

/** Filters by name, which the answers give. */
export const FILTERS = ["model", "account", "client", "provider", "failure"] as const;
/** Dimensions that usage can be grouped by. */
export const DIMENSIONS = ["client", "model", "account", "provider", "failure", "none"] as const;
export type Dimension = (typeof DIMENSIONS)[number];
export type Read = (name: string) => string;

const LONGEST_NAME = 250;
const LATEST = 8.64e15;
const DEFAULT = "24h";

/** Return the filters of an address as the API takes them. */
export function filtersOf(get: Read): Record<string, string> {
  const names = FILTERS.filter((name) => get(name) && get(name).length <= LONGEST_NAME);
  const filters = Object.fromEntries(names.map((name) => [name, get(name)]));
  const failed = get("failed");
  return failed === "true" || failed === "false" ? { ...filters, failed } : filters;
}

/** Return the name of the period in an address; null for a beginning and an end of its own. */
export function nameOfPeriod(get: Read): PeriodName | null {
  return ownPeriod(get) ? null : (periodName(get("period")) ?? DEFAULT);
}

export function chosenPeriod(get: Read, now: number): Period {
  return ownPeriod(get) ?? periodOf(nameOfPeriod(get) ?? DEFAULT, now);
}

function ownPeriod(get: Read): Period | null {
  const [start, end] = [Number(get("start")), Number(get("end"))];
  return start > 0 && end > start && end <= LATEST ? { start, end } : null;
}

/** Return the part of an address that another page of usage takes: period and filters. */
export function selectionOf(get: Read): Record<string, string> {
  const period = ownPeriod(get);
  if (period) return { start: String(period.start), end: String(period.end), ...filtersOf(get) };
  return { period: get("period"), ...filtersOf(get) };
}

/** Return what the selection says in words. */
export function scopeText(get: Read, now: number): string {
  const { start, end } = chosenPeriod(get, now);
  return text("usage.from_to", { start: formatTime(start), end: formatTime(end) });
}

export type Shown = (name: string, label?: string) => string;

/** Return how names are shown: the label of an account, the alias of a client key, or words for no name. */
export function shownNames(by: string, aliases: ReadonlyMap<string, string>): Shown {
  return (name, label = "") => {
    if (by === "client") return aliases.get(name) ?? (name ? `${name.slice(0, 8)}…` : text("usage.no_key"));
    if (by === "failure" && !name) return text("usage.success");
    return label || name || text("usage.no_name");
  };
}

/** Return the filter that shows the requests of a group. */
export function filterOf(by: Dimension, name: string): Record<string, string> {
  if (by === "none") return {};
  return by === "failure" && !name ? { failed: "false" } : { [by]: name };
}
