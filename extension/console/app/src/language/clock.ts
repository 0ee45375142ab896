/** Whether times are written with 24 hours, with 12, or as the locale has it. */

import { signal } from "@preact/signals";

export const CLOCK_KEY = "poolkeeper.clock";
export const CLOCKS = ["locale", "24", "12"] as const;
export type Clock = (typeof CLOCKS)[number];

export const clock = signal<Clock>(storedClock());

export function storeClock(name: Clock): void {
  clock.value = name;
  try {
    if (name === "locale") window.localStorage.removeItem(CLOCK_KEY);
    else window.localStorage.setItem(CLOCK_KEY, name);
  } catch {
    // The choice lasts as long as the document.
  }
}

/** Return the options of a format of times. */
export function clockOptions(): { hourCycle?: "h12" | "h23" } {
  if (clock.value === "locale") return {};
  return { hourCycle: clock.value === "24" ? "h23" : "h12" };
}

export function storedClock(): Clock {
  try {
    const name = globalThis.localStorage?.getItem(CLOCK_KEY);
    return CLOCKS.find((known) => known === name) ?? "locale";
  } catch {
    return "locale";
  }
}
