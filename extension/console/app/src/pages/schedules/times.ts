/** Times at which a schedule starts, as presets, as the service stores them, and in words. Pure. */

import type { ScheduleView } from "../../connection/api.js";
import { currentLocale, text } from "../../language/catalogue.js";
import { formatClock } from "../../language/formats.js";

export const PRESETS = ["hourly", "daily", "weekdays", "weekly", "minutes", "cron"] as const;
export type Preset = (typeof PRESETS)[number];

/** Fields of the form; a preset uses some of them. */
export interface Times {
  preset: Preset;
  minutes: number;
  /** Such as `03:00`. */
  time: string;
  /** Day of the week, Sunday is 0. */
  day: number;
  cron: string;
  timeZone: string;
}

export type Starts = Pick<ScheduleView, "intervalMinutes" | "cron" | "timeZone">;

const HOUR = 60;
const DAYS = 7;
/** Minute, hour, and the days of a week on which a schedule starts. */
const SIMPLE = /^(\d{1,2}) (\d{1,2}) \* \* (\*|1-5|[0-7])$/;
const A_SUNDAY = Date.UTC(2026, 0, 4);
const DAY_MS = 24 * 3_600_000;

/** Return the fields of the form for stored times; times that no preset says are a cron expression. */
export function timesOf({ intervalMinutes, cron, timeZone }: Starts): Times {
  const times: Times = { preset: "cron", minutes: HOUR, time: "03:00", day: 6, cron, timeZone: timeZone || "UTC" };
  if (intervalMinutes !== null) {
    return { ...times, preset: intervalMinutes === HOUR ? "hourly" : "minutes", minutes: intervalMinutes };
  }
  const [, minute, hour, days] = SIMPLE.exec(cron) ?? [];
  if (days === undefined || Number(hour) > 23 || Number(minute) > 59) return times;
  const time = `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`;
  if (days === "*") return { ...times, preset: "daily", time };
  if (days === "1-5") return { ...times, preset: "weekdays", time };
  return { ...times, preset: "weekly", time, day: Number(days) % DAYS };
}

/** Return the times as the service takes them. */
export function startsOf({ preset, minutes, time, day, cron, timeZone }: Times): Starts {
  if (preset === "hourly") return { intervalMinutes: HOUR, cron: "", timeZone: "" };
  if (preset === "minutes") return { intervalMinutes: minutes, cron: "", timeZone: "" };
  if (preset === "cron") return { intervalMinutes: null, cron: cron.trim(), timeZone };
  const [hour, minute] = time.split(":").map(Number);
  const days = { daily: "*", weekdays: "1-5", weekly: String(day) }[preset];
  return { intervalMinutes: null, cron: `${minute} ${hour} * * ${days}`, timeZone };
}

/** Return when a schedule starts, in words. */
export function whenText(schedule: Starts & Pick<ScheduleView, "jitterMinutes">): string {
  const { preset, minutes, time: written, day, cron, timeZone } = timesOf(schedule);
  const time = formatClock(Date.parse(`2001-01-01T${written}`));
  const words = {
    hourly: () => text("schedule.when_hourly"),
    minutes: () => text("schedule.when_minutes", { n: minutes }),
    daily: () => text("schedule.when_daily", { time, zone: timeZone }),
    weekdays: () => text("schedule.when_weekdays", { time, zone: timeZone }),
    weekly: () => text("schedule.when_weekly", { day: dayName(day), time, zone: timeZone }),
    cron: () => text("schedule.when_cron", { cron, zone: timeZone }),
  }[preset]();
  return schedule.jitterMinutes ? text("schedule.delay", { times: words, n: schedule.jitterMinutes }) : words;
}

export function dayName(day: number): string {
  return new Intl.DateTimeFormat(currentLocale(), { weekday: "long", timeZone: "UTC" }).format(A_SUNDAY + day * DAY_MS);
}

/** Return the time zones to choose from, those in use included. */
export function zonesWith(...inUse: string[]): string[] {
  return [...new Set(["UTC", ...inUse, ...Intl.supportedValuesOf("timeZone")])];
}
