import { signal } from "@preact/signals";
import { store, stored } from "../connection/browser_store.js";

export const THEME_KEY = "poolkeeper.theme";
export const THEMES = ["system", "light", "dark"] as const;
/** Theme of the page: light, dark, or that of the system. */
export type Theme = (typeof THEMES)[number];

/** Theme in use. */
export const theme = signal<Theme>("system");

export function storedTheme(): Theme {
  const choice = stored(THEME_KEY);
  return THEMES.find((name) => name === choice) ?? "system";
}

/** Store and apply a theme. */
export function storeTheme(name: Theme): void {
  store(THEME_KEY, name);
  applyTheme(name);
}

export function applyTheme(name: Theme): void {
  theme.value = name;
  if (name === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
}
