/** Whether times are written with 24 hours, with 12, or as the locale has it. */

import { signal } from "@preact/signals";
import { store, stored } from "../connection/browser_store.js";

export const CLOCK_KEY = "poolkeeper.clock";
export const CLOCKS = ["locale", "24", "12"] as const;
export type Clock = (typeof CLOCKS)[number];

export const clock = signal<Clock>(storedClock());

export function storeClock(name: Clock): void {
  clock.value = name;
  store(CLOCK_KEY, name === "locale" ? null : name);
}

/** Return the options of a format of times. */
export function clockOptions(): { hourCycle?: "h12" | "h23" } {
  if (clock.value === "locale") return {};
  return { hourCycle: clock.value === "24" ? "h23" : "h12" };
}

export function storedClock(): Clock {
  const choice = stored(CLOCK_KEY);
  return CLOCKS.find((name) => name === choice) ?? "locale";
}
