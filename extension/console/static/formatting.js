/** Formats of numbers, times and names, in the language of the page. */

import { currentLocale, text as phrase, tokenText } from "./language/catalogue.js";

const PARTS = /** @type {const} */ ({
  day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", second: "2-digit",
});

/** @type {{locale: string, count: Intl.NumberFormat, time: Intl.DateTimeFormat, dated: Intl.DateTimeFormat} | null} */
let formats = null;

/** Formats of the locale in use; building one costs as much as a thousand numbers. */
function localFormats() {
  const locale = currentLocale();
  formats = formats?.locale === locale ? formats : {
    locale,
    count: new Intl.NumberFormat(locale),
    time: new Intl.DateTimeFormat(locale, PARTS),
    dated: new Intl.DateTimeFormat(locale, { ...PARTS, year: "numeric" }),
  };
  return formats;
}

/** @param {number} count */
export function formatCount(count) {
  return localFormats().count.format(count);
}

/**
 * Format a number with decimals.
 *
 * @param {number} number
 * @param {number} most decimals
 * @param {number} [least] decimals
 */
export function formatDecimal(number, most, least = 0) {
  return new Intl.NumberFormat(currentLocale(), {
    minimumFractionDigits: least, maximumFractionDigits: most,
  }).format(number);
}

/**
 * Return the value of a setting as it is read.
 *
 * @param {unknown} value
 */
export function written(value) {
  if (value === null || value === "") return "–";
  if (typeof value === "number") return formatCount(value);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/**
 * Format a time with its date, and with the year when it is not the current one.
 *
 * @param {number | null | undefined} milliseconds UTC
 */
export function formatTime(milliseconds) {
  if (!milliseconds) return "–";
  const time = new Date(milliseconds);
  const { time: short, dated } = localFormats();
  return (time.getFullYear() === new Date().getFullYear() ? short : dated).format(time);
}

/** @param {string} day of the calendar, such as 2026-11-25 */
export function formatDay(day) {
  return new Intl.DateTimeFormat(currentLocale(), { dateStyle: "medium", timeZone: "UTC" }).format(new Date(day));
}

/** @param {number | null | undefined} milliseconds */
export function formatLatency(milliseconds) {
  if (milliseconds === null || milliseconds === undefined) return "–";
  if (milliseconds < 1000) return phrase("time.ms", { n: Math.round(milliseconds) });
  const decimals = milliseconds < 10_000 ? 2 : 1;
  return phrase("time.s", { n: formatDecimal(milliseconds / 1000, decimals, decimals) });
}

/**
 * @param {number | null | undefined} percent
 * @param {string} unknown text for a missing value
 */
export function formatPercent(percent, unknown) {
  return percent === null || percent === undefined ? unknown : `${formatDecimal(percent, 1)} %`;
}

/**
 * Format the duration of a run.
 *
 * @param {number} milliseconds
 */
export function formatDuration(milliseconds) {
  if (milliseconds < 1000) return phrase("time.under_second");
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return phrase("time.s", { n: seconds });
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return phrase("time.min_s", { min: minutes, s: seconds % 60 });
  return phrase("time.h_min", { h: Math.floor(minutes / 60), min: minutes % 60 });
}

/**
 * Format the age of an event.
 *
 * @param {number} milliseconds
 */
export function formatAge(milliseconds) {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 1) return phrase("time.just_now");
  if (minutes < 60) return phrase("time.minutes_ago", { n: minutes });
  const hours = Math.floor(minutes / 60);
  return hours < 48
    ? phrase("time.hours_ago", { n: hours }) : phrase("time.days_ago", { n: Math.floor(hours / 24) });
}

/**
 * Format an HTTP status: 0 means that the provider did not answer, null that no probe was sent.
 *
 * @param {number | null | undefined} status
 */
export function formatStatus(status) {
  if (status === null || status === undefined) return "–";
  return status === 0 ? phrase("time.no_answer") : String(status);
}

/**
 * Return a unique name of an account with the hint of its key, because several keys may share a display name.
 *
 * @param {{id: number, displayName: string, fileName?: string, keyHint?: string}} account
 */
export function accountName({ id, displayName, fileName, keyHint }) {
  const [name, file] = [clipped(displayName), clipped(fileName ?? "")];
  if (!file) return `${name} #${id}${keyHint ? ` (${keyHint})` : ""}`;
  return file === name ? file : `${name}, ${file}`;
}

/**
 * Return a unique name of an account with its place in the configuration, for questions and lists of what is done.
 *
 * @param {{id: number, displayName: string, fileName?: string, keyHint?: string, place?: string}} account
 */
export function placedName({ place, ...account }) {
  const [name, short] = [accountName(account), clipped(place ?? "")];
  return !short || name.includes(short) ? name : `${name}, ${short}`;
}

/**
 * Return the name of an actor: the surface a person used, or the service's own name of it.
 *
 * @param {string} actor
 */
export function formatActor(actor) {
  return tokenText("actor", actor, actor);
}

/**
 * Clip a text from outside: ten thousand characters would cost seconds of layout.
 *
 * @param {string} text
 * @param {number} [most]
 */
export function clipped(text, most = 160) {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/**
 * Return a token as words: `rate_limited` becomes `rate limited`.
 *
 * @param {string} token
 */
export function words(token) {
  return token.replaceAll("_", " ");
}
