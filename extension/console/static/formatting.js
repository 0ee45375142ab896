/** Formats of numbers, times and names, in the language of the page. */

import { currentLocale } from "./language/catalogue.js";

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
 * @param {number} count
 * @param {string} one
 * @param {string} [many]
 */
export function plural(count, one, many = `${one}s`) {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
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

/** @param {number | null | undefined} milliseconds */
export function formatLatency(milliseconds) {
  if (milliseconds === null || milliseconds === undefined) return "–";
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 1)} s`;
}

/**
 * @param {number | null | undefined} percent
 * @param {string} unknown text for a missing value
 */
export function formatPercent(percent, unknown) {
  return percent === null || percent === undefined ? unknown : `${Math.round(10 * percent) / 10} %`;
}

/**
 * Format the duration of a run.
 *
 * @param {number} milliseconds
 */
export function formatDuration(milliseconds) {
  if (milliseconds < 1000) return "under 1 s";
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/**
 * Format the age of an event.
 *
 * @param {number} milliseconds
 */
export function formatAge(milliseconds) {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ago` : `${plural(Math.floor(hours / 24), "day")} ago`;
}

/**
 * Format an HTTP status: 0 means that the provider did not answer, null that no probe was sent.
 *
 * @param {number | null | undefined} status
 */
export function formatStatus(status) {
  if (status === null || status === undefined) return "–";
  return status === 0 ? "0, no answer" : String(status);
}

/**
 * Return a unique name of an account with the hint of its key, because several keys may share a display name.
 *
 * @param {{id: number, displayName: string, fileName?: string, keyHint?: string}} account
 */
export function accountName({ id, displayName, fileName, keyHint }) {
  if (!fileName) return `${displayName} #${id}${keyHint ? ` (${keyHint})` : ""}`;
  return fileName === displayName ? fileName : `${displayName}, ${fileName}`;
}

const ACTORS = new Map([["page", "web"], ["interface", "API"]]);

/**
 * Return the name of an actor: the surface a person used, or the service's own name of it.
 *
 * @param {string} actor
 */
export function formatActor(actor) {
  return ACTORS.get(actor) ?? actor;
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
