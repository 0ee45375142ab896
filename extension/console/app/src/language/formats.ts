/** Formats of numbers, times and names, in the language of the page. */

import { currentLocale, text as phrase, tokenText } from "./catalogue.js";
import { clock, clockOptions } from "./clock.js";

/** Sign of a value that is not known. */
export const UNKNOWN = "–";

const PARTS = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", second: "2-digit" } as const;

let formats: {
  locale: string;
  clock: string;
  count: Intl.NumberFormat;
  time: Intl.DateTimeFormat;
  dated: Intl.DateTimeFormat;
} | null = null;

/** Formats of the locale in use; building one costs as much as a thousand numbers. */
function localFormats() {
  const locale = currentLocale();
  formats =
    formats?.locale === locale && formats.clock === clock.value
      ? formats
      : {
          locale,
          clock: clock.value,
          count: new Intl.NumberFormat(locale),
          time: new Intl.DateTimeFormat(locale, { ...PARTS, ...clockOptions() }),
          dated: new Intl.DateTimeFormat(locale, { ...PARTS, ...clockOptions(), year: "numeric" }),
        };
  return formats;
}

export function formatCount(count: number): string {
  return localFormats().count.format(count);
}

export function formatDecimal(number: number, most: number, least = 0): string {
  const decimals = { minimumFractionDigits: least, maximumFractionDigits: most };
  return new Intl.NumberFormat(currentLocale(), decimals).format(number);
}

/** Format a time in UTC milliseconds with its date, and with the year when it is not the current one. */
export function formatTime(milliseconds: number | null | undefined): string {
  if (!milliseconds) return UNKNOWN;
  const time = new Date(milliseconds);
  const { time: short, dated } = localFormats();
  return (time.getFullYear() === new Date().getFullYear() ? short : dated).format(time);
}

/** Format a day of the calendar, such as 2026-11-25. */
export function formatDay(day: string): string {
  return new Intl.DateTimeFormat(currentLocale(), { dateStyle: "medium", timeZone: "UTC" }).format(new Date(day));
}

/** Format the time of day of an event. */
export function formatClock(milliseconds: number): string {
  return new Intl.DateTimeFormat(currentLocale(), { hour: "2-digit", minute: "2-digit", ...clockOptions() }).format(
    milliseconds,
  );
}

/** Format the date of a time; today and yesterday in words. */
export function formatDate(milliseconds: number): string {
  const today = new Date().setHours(0, 0, 0, 0);
  const days = Math.round((today - new Date(milliseconds).setHours(0, 0, 0, 0)) / 86_400_000);
  if (days === 0 || days === 1) return phrase(days ? "time.yesterday" : "time.today");
  return new Intl.DateTimeFormat(currentLocale(), { dateStyle: "long" }).format(milliseconds);
}

export function formatWeekday(milliseconds: number): string {
  return new Intl.DateTimeFormat(currentLocale(), { weekday: "long", day: "numeric", month: "long" }).format(
    milliseconds,
  );
}

export function formatLatency(milliseconds: number | null | undefined): string {
  if (milliseconds === null || milliseconds === undefined) return UNKNOWN;
  if (milliseconds < 1000) return phrase("time.ms", { n: Math.round(milliseconds) });
  const decimals = milliseconds < 10_000 ? 2 : 1;
  return phrase("time.s", { n: formatDecimal(milliseconds / 1000, decimals, decimals) });
}

export function formatPercent(percent: number | null | undefined, missing = UNKNOWN): string {
  return percent === null || percent === undefined ? missing : `${formatDecimal(percent, 1)} %`;
}

/** Format the duration of a run. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1000) return phrase("time.under_second");
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return phrase("time.s", { n: seconds });
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return phrase("time.min_s", { min: minutes, s: seconds % 60 });
  return phrase("time.h_min", { h: Math.floor(minutes / 60), min: minutes % 60 });
}

/** Format the age of an event. */
export function formatAge(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 1) return phrase("time.just_now");
  if (minutes < 60) return phrase("time.minutes_ago", { n: minutes });
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? phrase("time.hours_ago", { n: hours }) : phrase("time.days_ago", { n: Math.floor(hours / 24) });
}

/** Format the time until an event. */
export function formatUntil(milliseconds: number): string {
  const minutes = Math.max(Math.round(milliseconds / 60_000), 0);
  if (minutes < 60) return phrase("time.in_minutes", { n: minutes });
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return phrase("time.in_hours", { h: hours, min: minutes % 60 });
  return phrase("time.in_days", { n: Math.round(hours / 24) });
}

/** Format an HTTP status: 0 means that the provider did not answer, null that no probe was sent. */
export function formatStatus(status: number | null | undefined): string {
  if (status === null || status === undefined) return UNKNOWN;
  return status === 0 ? phrase("time.no_answer") : String(status);
}

/** Return the name of an actor: the surface a person used, or the service's own name of it. */
export function formatActor(actor: string): string {
  return tokenText("actor", actor, actor);
}

/** Clip a text from outside: ten thousand characters would cost seconds of layout. */
export function clipped(text: string, most = 160): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
