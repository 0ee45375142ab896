/** Shapes that tell statuses apart without color: as a choice, and wherever colors are taken away or hard to see. */

import { signal } from "@preact/signals";
import { store, stored } from "../connection/browser_store.js";

export const PATTERNS_KEY = "poolkeeper.patterns";
const NEEDED = "(forced-colors: active), (prefers-contrast: more), print";

/** Whether shapes are shown always, by choice. */
export const hasPatterns = signal(isStored());

export function storePatterns(isOn: boolean): void {
  store(PATTERNS_KEY, isOn ? "on" : null);
  hasPatterns.value = isOn;
  applyPatterns();
}

/** Show the shapes where they are chosen or needed, and follow what the browser says of the need. */
export function startPatterns(): void {
  applyPatterns();
  window.matchMedia(NEEDED).addEventListener("change", applyPatterns);
}

/** Follow a choice of another tab. */
export function restorePatterns(): void {
  hasPatterns.value = isStored();
  applyPatterns();
}

function applyPatterns(): void {
  const isOn = hasPatterns.peek() || window.matchMedia(NEEDED).matches;
  document.documentElement.toggleAttribute("data-patterns", isOn);
}

function isStored(): boolean {
  return stored(PATTERNS_KEY) === "on";
}
