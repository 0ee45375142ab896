/** Periods of usage and the length of their parts, so that a series has at most 400 of them. Pure. */

import { currentLocale } from "../language/catalogue.js";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Periods by name: their length in milliseconds, 0 for the day so far. */
export const PERIODS = /** @type {const} */ ({ today: 0, yesterday: -1, "24h": DAY, "7d": 7 * DAY, "30d": 30 * DAY });

/** @typedef {keyof typeof PERIODS} PeriodName */
/** @typedef {"hour" | "day"} Step */

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
 */
export function periodOf(name, now) {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  if (name === "today") return { start: midnight, end: now + 1 };
  if (name === "yesterday") return { start: new Date(midnight - 1).setHours(0, 0, 0, 0), end: midnight };
  return { start: Math.floor((now - PERIODS[name]) / HOUR) * HOUR, end: now + 1 };
}

/**
 * @param {{start: number, end: number}} period
 * @returns {Step}
 */
export function stepOf({ start, end }) {
  return end - start > 8 * DAY ? "day" : "hour";
}

/** Name of the browser's time zone, in which days begin at midnight. */
export function zoneName() {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
}

/**
 * Return the name of a part at the axis, and the whole one that is read aloud.
 *
 * @param {number} start
 * @param {Step} step
 * @returns {{mark: string, label: string}}
 */
export function partNames(start, step) {
  const locale = currentLocale();
  /** @type {Intl.DateTimeFormatOptions} */
  const mark = step === "hour" ? { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } : { month: "short", day: "numeric" };
  /** @type {Intl.DateTimeFormatOptions} */
  const label = { weekday: "short", month: "short", day: "numeric", ...(step === "hour" ? mark : {}) };
  return {
    mark: new Intl.DateTimeFormat(locale, mark).format(start),
    label: new Intl.DateTimeFormat(locale, label).format(start),
  };
}

/**
 * Return whether records may be missing in a part of time.
 *
 * @param {{start: number, end: number}} part
 * @param {readonly {start: number, end: number}[]} gaps
 */
export function touchesGap(part, gaps) {
  return gaps.some((gap) => gap.start < part.end && gap.end > part.start);
}
