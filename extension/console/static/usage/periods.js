/** Periods of usage, and names of their parts. Pure. */

import { currentLocale } from "../language/catalogue.js";

/** @import { PartLength } from "../../_generated_types.js" */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const DAYS = /** @type {const} */ (["1d", "1w", "1M", "1y"]);

/** Periods by name: their length in milliseconds, 0 for a day of the calendar. */
export const PERIODS = /** @type {const} */ ({ today: 0, yesterday: 0, "24h": DAY, "7d": 7 * DAY, "30d": 30 * DAY });

/** @typedef {keyof typeof PERIODS} PeriodName */
/** @typedef {{start: number, end: number}} Period */

/**
 * @param {string} name
 * @returns {PeriodName}
 */
export function periodName(name) {
  return /** @type {PeriodName[]} */ (Object.keys(PERIODS)).find((each) => each === name) ?? "24h";
}

/**
 * Return beginning and end of a period. Periods that end now begin with a whole hour.
 *
 * @param {PeriodName} name
 * @param {number} now
 * @returns {Period}
 */
export function periodOf(name, now) {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  if (name === "today") return { start: midnight, end: now + 1 };
  if (name === "yesterday") return { start: new Date(midnight - 1).setHours(0, 0, 0, 0), end: midnight };
  return { start: Math.floor((now - PERIODS[name]) / HOUR) * HOUR, end: now + 1 };
}

/** Name of the browser's time zone, in which days begin at midnight. */
export function zoneName() {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
}

/**
 * Return the name of a part at the axis, and the whole one that is read aloud.
 *
 * @param {number} start
 * @param {PartLength} length
 * @param {boolean} manyDays the period is longer than a day
 * @returns {{mark: string, label: string}}
 */
export function partNames(start, length, manyDays) {
  const locale = currentLocale();
  const isDay = DAYS.some((each) => each === length);
  /** @type {Intl.DateTimeFormatOptions} */
  const time = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  /** @type {Intl.DateTimeFormatOptions} */
  const day = { month: "short", day: "numeric" };
  return {
    mark: new Intl.DateTimeFormat(locale, isDay || manyDays ? day : time).format(start),
    label: new Intl.DateTimeFormat(locale, { weekday: "short", ...day, ...(isDay ? {} : time) }).format(start),
  };
}

/**
 * Return whether records may be missing in a part of time.
 *
 * @param {Period} part
 * @param {readonly Period[]} gaps
 */
export function touchesGap(part, gaps) {
  return gaps.some((gap) => gap.start < part.end && gap.end > part.start);
}
