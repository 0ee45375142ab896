/** Periods of usage: their names, bounds, the period before, and names of their parts. Pure. */

import type { PartLength } from "../connection/api.js";
import { currentLocale } from "../language/catalogue.js";
import { clockOptions } from "../language/clock.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
const DAYS: readonly PartLength[] = ["1d", "1w", "1M", "1y"];

interface PeriodRow {
  /** Length in milliseconds; 0 for a day of the calendar. */
  length: number;
  /** Days of the calendar from the period before to this one; without them it lies as long before. */
  days?: number;
}

export const PERIODS = {
  "15m": { length: 15 * MINUTE },
  "1h": { length: HOUR },
  "24h": { length: DAY, days: 1 },
  today: { length: 0, days: 1 },
  yesterday: { length: 0, days: 1 },
  "7d": { length: 7 * DAY, days: 7 },
  "30d": { length: 30 * DAY, days: 30 },
} as const satisfies Record<string, PeriodRow>;

export type PeriodName = keyof typeof PERIODS;
export interface Period {
  start: number;
  end: number;
}

export function periodName(written: string): PeriodName | null {
  return (Object.keys(PERIODS) as PeriodName[]).find((name) => name === written) ?? null;
}

/** Return beginning and end of a period. Periods of a day or more that end now begin with a whole hour. */
export function periodOf(name: PeriodName, now: number): Period {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  if (name === "today") return { start: midnight, end: now + 1 };
  if (name === "yesterday") return { start: new Date(midnight - 1).setHours(0, 0, 0, 0), end: midnight };
  const { length } = PERIODS[name];
  const unit = length < DAY ? MINUTE : HOUR;
  return { start: Math.floor((now - length) / unit) * unit, end: now + 1 };
}

/** Return the period to compare with: as many days of the calendar earlier, at the same times of day. */
export function periodBefore(name: PeriodName | null, { start, end }: Period): Period {
  const { days }: PeriodRow = name ? PERIODS[name] : { length: 0 };
  if (days === undefined) return { start: start - (end - start), end: start };
  const earlier = (time: number) => {
    const date = new Date(time);
    return date.setDate(date.getDate() - days);
  };
  return { start: earlier(start), end: earlier(end) };
}

/** Return the name of the browser's time zone, in which days begin at midnight. */
export function zoneName(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
}

const TIME = { hour: "numeric", minute: "2-digit" } as const;
const DATE = { month: "short", day: "numeric" } as const;

/** Return how the axis of a chart names a time: by day where the chart is longer than two. */
export function axisName(time: number, { start, end }: Period): string {
  const parts = end - start > 2 * DAY ? DATE : { ...TIME, ...clockOptions() };
  return new Intl.DateTimeFormat(currentLocale(), parts).format(time);
}

/** Return the whole name of a part of time. */
export function partName(start: number, length: PartLength): string {
  const parts = {
    weekday: "short",
    ...DATE,
    ...(DAYS.includes(length) ? {} : { ...TIME, ...clockOptions() }),
  } as const;
  return new Intl.DateTimeFormat(currentLocale(), parts).format(start);
}
